import { signToken, type TestChat } from '@parley/testkit';

/** Everyone who may knock at a door, in the order of the table's columns. */
export const actors = [
  'admin',
  'owner',
  'moderator',
  'member',
  'guest',
  'banned',
  'former',
  'stranger',
  'anonymous',
] as const;
export type ActorName = (typeof actors)[number];

/** `other` owns what is not the actor's own; `target` is somebody outside to act upon. */
type PersonName = Exclude<ActorName, 'anonymous'> | 'other' | 'target';
const named: PersonName[] = [
  'admin',
  'owner',
  'moderator',
  'member',
  'banned',
  'former',
  'stranger',
  'other',
  'target',
];

export type Answer = { status: number; text: string; body: Record<string, unknown> };
export type Ask = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
};
export type Caller = (method: string, path: string, ask?: Ask) => Promise<Answer>;
export type People = {
  callers: Record<PersonName | 'anonymous' | 'server', Caller>;
  /** The actors by name; a guest's id and token are given by the server. */
  ids: Record<PersonName, string>;
  tokens: Record<PersonName, string>;
};

const urlOf = (baseUrl: string, path: string, ask: Ask): string => {
  const fill = (_: string, name: string) => encodeURIComponent(ask.path?.[name] ?? 'none');
  const query = ask.query ? `?${new URLSearchParams(ask.query)}` : '';
  return `${baseUrl}${path.replace(/\{(\w+)\}/g, fill)}${query}`;
};

const bodyOf = (method: string, { form, body }: Ask): FormData | string | undefined => {
  if (form) return form;
  return method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body ?? {});
};

const callerWith =
  (chat: TestChat, credentials: Record<string, string>): Caller =>
  async (method, path, ask = {}) => {
    const body = bodyOf(method, ask);
    const headers: Record<string, string> = { 'x-api-key': chat.apiKey, ...credentials };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    const response = await fetch(urlOf(chat.baseUrl, path, ask), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
  };

/** Makes the people. `admin` is an admin of the app and member of nothing; `guest` came by `POST /guest`. */
export const makePeople = async (chat: TestChat): Promise<People> => {
  await chat.admin.users.upsert(
    named.map((id) => ({ id, name: id, ...(id === 'admin' ? { role: 'admin' } : {}) })),
  );
  const visitor = await callerWith(chat, {})('POST', '/guest', {
    body: { user: { id: 'g', name: 'guest' } },
  });
  const guest = visitor.body as { user: { id: string }; access_token: string };
  const tokens = { guest: guest.access_token } as People['tokens'];
  const ids = { guest: guest.user.id } as People['ids'];
  for (const name of named) {
    ids[name] = name;
    tokens[name] = await chat.token(name);
  }
  const now = Math.floor(Date.now() / 1000);
  const callers = {
    anonymous: callerWith(chat, { 'x-auth-type': 'anonymous' }),
    server: callerWith(chat, { authorization: signToken(chat.secret, { server: true, iat: now }) }),
  } as People['callers'];
  for (const name of [...named, 'guest'] as const)
    callers[name] = callerWith(chat, { authorization: tokens[name] });
  return { callers, ids, tokens };
};
