import { connect, createServer } from 'node:net';

/** The range is below the ports that systems give to outgoing connections and to whoever asks for any port: none of them takes it meanwhile. */
const [lowest, highest] = [12_000, 32_000];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port of this machine where nothing listens, and which stays free until it is used. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${lowest} to ${highest} is free`);
};

/** Whether a program on this machine takes connections on the port. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
