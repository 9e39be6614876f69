/** A small chat server for tests: real HTTP, real sockets, state in memory, faults on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectFrame } from '@parley/protocol';
import { type ErrorName, errorTable } from '@parley/protocol/errors';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  channelRoutes,
  connectionRoutes,
  type DoubleRequest,
  messageRoutes,
  type Route,
} from './double-routes.ts';
import { createDoubleState } from './double-state.ts';
import { anOwnUser, at } from './records.ts';

/** A page is what a portal or a gateway answers in place of the server. */
type Fault = ErrorName | 'drop' | { status: number; page: string } | undefined;

const wireError = (name: ErrorName, message: string = name) => ({
  ...errorTable[name],
  name,
  message,
  request_id: 'r',
});

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
};

const readRequest = async (incoming: IncomingMessage): Promise<DoubleRequest> => {
  const url = new URL(incoming.url ?? '', 'http://double');
  return {
    method: incoming.method ?? '',
    path: url.pathname.replace(/^\/api/, ''),
    query: url.searchParams,
    body: await readBody(incoming),
    user: incoming.headers.authorization?.split('|')[0] ?? 'nobody',
    headers: incoming.headers,
  };
};

const createFaults = () => ({
  /** Decides, before a request is served, whether it fails. */
  fault: (_request: DoubleRequest): Fault => undefined,
  /** Decides whether a token is refused on connect. */
  refuse: (_token: string | undefined): ErrorName | undefined => undefined,
  blockSockets: false,
});
type Faults = ReturnType<typeof createFaults>;

const createAnswer = (routes: Route[], faults: Faults, requests: DoubleRequest[]) => {
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    requests.push(request);
    const send = (status: number, body: unknown) =>
      void response
        .writeHead(status, {
          'content-type': 'application/json',
          'x-request-id': request.headers['x-client-request-id'] ?? 'r',
        })
        .end(JSON.stringify(body));
    const fault = faults.fault(request);
    if (fault === 'drop') return void incoming.socket.destroy();
    if (typeof fault === 'object') return void response.writeHead(fault.status).end(fault.page);
    if (fault) return send(errorTable[fault].status, wireError(fault));
    const key = `${request.method} ${request.path}`;
    for (const [pattern, serve] of routes) {
      const match = pattern.exec(key);
      if (match) return send(200, await serve(request, match.slice(1)));
    }
    return send(404, wireError('NotFound', key));
  };
  return answer;
};

const createGateway = (faults: Faults, nextId: () => string) => {
  const sockets = new Map<string, WebSocket>();
  const frames: ConnectFrame[] = [];
  const welcome = (socket: WebSocket, frame: ConnectFrame) => {
    frames.push(frame);
    const send = (event: object) => socket.send(JSON.stringify({ created_at: at(0), ...event }));
    const refused = faults.refuse(frame.token);
    if (refused) {
      send({ type: 'connection.error', error: wireError(refused) });
      return socket.close(4401);
    }
    const connection_id = nextId();
    sockets.set(connection_id, socket);
    socket.on('close', () => sockets.delete(connection_id));
    return send({
      type: 'health.check',
      connection_id,
      me: anOwnUser(frame.token?.split('|')[0] ?? 'anonymous-1'),
    });
  };
  const accept = (socket: WebSocket) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'connect') welcome(socket, frame);
    });
  };
  return { sockets, frames, accept };
};

export const startChatDouble = async () => {
  const state = createDoubleState();
  const faults = createFaults();
  const requests: DoubleRequest[] = [];
  let ids = 0;
  const nextId = () => `c${++ids}`;
  const routes = [...channelRoutes(state), ...messageRoutes(state), ...connectionRoutes(state, nextId)];
  const answer = createAnswer(routes, faults, requests);
  const { sockets, frames, accept } = createGateway(faults, nextId);
  state.listeners.add((event) => {
    for (const socket of sockets.values()) socket.send(JSON.stringify(event));
  });
  const server = createServer((incoming, response) => void answer(incoming, response));
  const gateway = new WebSocketServer({ noServer: true });
  let socketCount = 0;
  server.on('upgrade', (request, socket, head) => {
    if (faults.blockSockets) return socket.destroy();
    return gateway.handleUpgrade(request, socket, head, (opened) => {
      socketCount += 1;
      accept(opened);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.addChannel('messaging:general');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    state,
    faults,
    requests,
    frames,
    sockets,
    socketCount: () => socketCount,
    requestsTo: (path: string) => requests.filter((request) => request.path === path),
    dropSockets: (code = 1012) => {
      for (const socket of sockets.values()) socket.close(code);
    },
    stop: async () => {
      for (const client of gateway.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export type ChatDouble = Awaited<ReturnType<typeof startChatDouble>>;
