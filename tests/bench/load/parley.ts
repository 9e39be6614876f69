import type { ParleyTarget } from '../jobs.ts';
import { userToken } from '../tokens.ts';
import { clientFrame, type HttpConnection, openWs, type WsConnection, type WsOptions } from './sockets.ts';

/** The head of a POST by a user, all but the length of its body. */
export const postHead = (target: ParleyTarget, path: string, user: string): string =>
  `POST /api${path} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\nx-api-key: ${target.apiKey}\r\n` +
  `authorization: ${userToken(user, target.apiSecret)}\r\nx-auth-type: jwt\r\n` +
  'content-type: application/json\r\n';

export const withBody = (head: string, body: string): string =>
  `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Asks and fails on any status but success. */
export const askOk = async (http: HttpConnection, request: string): Promise<string> => {
  const { status, body } = await http.ask(request);
  if (status !== 200 && status !== 201)
    throw new Error(`${request.slice(0, request.indexOf('\r'))}: ${status} ${body.slice(0, 300)}`);
  return body;
};

export type Session = { ws: WsConnection; connectionId: string };

type SessionOptions = Pick<WsOptions, 'onData' | 'onClosed' | 'prefix'>;

const newMessage = '{"type":"message.new"';

/** Connects a user's socket: the first frame signs in, the first reply names the connection. */
export const openSession = async (
  target: ParleyTarget,
  user: string,
  options: SessionOptions,
): Promise<Session> => {
  let first: ((text: string) => void) | undefined;
  let lost: ((error: Error) => void) | undefined;
  const reply = new Promise<string>((resolve, reject) => {
    first = resolve;
    lost = reject;
  });
  const ws = await openWs({
    port: target.port,
    path: `/api/connect?api_key=${target.apiKey}`,
    prefix: options.prefix ?? newMessage,
    onData: (frame) => {
      if (first === undefined) return options.onData(frame);
      first(frame.text ?? '');
      first = undefined;
    },
    onClosed: (code) => {
      lost?.(new Error(`the server closed a new connection with ${code}`));
      options.onClosed(code);
    },
  });
  ws.keep(true);
  const token = userToken(user, target.apiSecret);
  ws.write(
    clientFrame(JSON.stringify({ type: 'connect', token, auth_type: 'jwt', payload: { user_id: user } })),
  );
  const answer = JSON.parse(await reply) as { type?: string; connection_id?: string };
  ws.keep(false);
  if (answer.type !== 'health.check' || answer.connection_id === undefined)
    throw new Error(`connect was answered by ${JSON.stringify(answer).slice(0, 300)}`);
  return { ws, connectionId: answer.connection_id };
};

const beat = clientFrame(JSON.stringify({ type: 'health.check' }));
const beatMs = 20_000;

/** Keeps sessions alive as clients do, evenly spread so that no measurement sees a burst. */
export const keepAlive = (sessions: Session[]): (() => void) => {
  let next = 0;
  const tick = () => {
    sessions[next % sessions.length]?.ws.write(beat);
    next += 1;
  };
  const timer = setInterval(tick, Math.max(1, beatMs / Math.max(1, sessions.length)));
  return () => clearInterval(timer);
};
