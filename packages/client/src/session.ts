import type { ConnectPayload, OwnUser, User, UserInput } from '@parley/protocol';
import { ParleyError, texts } from '@parley/protocol/errors';
import { idPattern } from '@parley/protocol/limits';
import type { Driver } from './connection/driver.ts';
import type { MachineState } from './connection/machine.ts';
import { type Deferred, deferred } from './deferred.ts';
import type { Environment } from './environment.ts';
import type { Auth, Http } from './http/http.ts';
import { NetworkError } from './http/network-error.ts';
import type { Log } from './log.ts';
import {
  checkToken,
  createTokenManager,
  type TokenManager,
  type TokenProvider,
} from './tokens/token-manager.ts';

type Person = { id: string; user?: UserInput; tokens: TokenManager | undefined };

/** The signed-in user, shared by the requests and the connection. */
export type IdentityHolder = {
  current: Person | undefined;
  /** Called with each answer of the server to a call of this person. */
  answered?(): void;
};

export const ownIdOf = (holder: IdentityHolder): string => {
  if (!holder.current) throw new Error(texts.userNotSet);
  return holder.current.id;
};

/** A user as the client knows them before the first reply. */
export const toUser = ({ id, user }: Person): User => ({
  role: 'user',
  created_at: '',
  updated_at: '',
  ...user,
  id,
});

export const createAuth = (holder: IdentityHolder): Auth => ({
  headers: async () => {
    ownIdOf(holder);
    const tokens = holder.current?.tokens;
    if (!tokens) return { 'x-auth-type': 'anonymous' };
    return { 'x-auth-type': 'jwt', authorization: await tokens.get() };
  },
  expired: async (used) => {
    const tokens = holder.current?.tokens;
    if (!tokens || tokens.isStatic) return false;
    await tokens.reload(used.authorization);
    return true;
  },
  accepted: () => {
    holder.current?.tokens?.accepted();
    holder.answered?.();
  },
  session: () => holder.current,
});

export type SessionOptions = {
  holder: IdentityHolder;
  http: Http;
  driver: Driver;
  environment: Environment;
  log: Log;
  device: { id: string } | undefined;
  keepUserOnFailure: boolean;
  /** How many attempts may fail before the first connection counts as failed. */
  firstAttempts: number;
  /** Clears everything that belongs to the user who leaves. */
  onEnd(): void;
  onStart(userId: string): void;
};

export type Session = {
  /** Connects as a user, by a token or a function that gets one. */
  connectUser(user: UserInput, token: string | TokenProvider): Promise<OwnUser>;
  /** Connects without a user, to read what is public. */
  connectAnonymous(): Promise<OwnUser>;
  /** Connects as a guest that the server creates. */
  connectGuest(user: UserInput): Promise<OwnUser>;
  /** Ends the session and forgets everything of its user. */
  disconnect(): Promise<void>;
  /** The owner of the driver calls it. */
  onHello(me: OwnUser): void;
  onState(state: MachineState): void;
};

const anonymous = '!anonymous';

/** The details go with the first connection alone: a later one would undo what was changed elsewhere meanwhile. */
const payloadOf = ({ id, user }: Person, options: SessionOptions, isFirst: boolean): ConnectPayload => ({
  ...(user && { user_id: id }),
  ...(user && isFirst && { user_details: { ...user, id } }),
  ...(options.device ? { device: options.device } : {}),
  client_request_id: options.environment.uuid(),
});

const firstFailure = (state: MachineState, attempts: number): Error | undefined => {
  if (state.status === 'offline') return new NetworkError('The network is offline');
  if (state.status === 'waiting' && (state.attempt > attempts || state.cause === 'no-token')) {
    return state.error ?? new NetworkError('The server could not be reached');
  }
  if (state.status !== 'disconnected' || state.reason !== 'refused') return undefined;
  return state.error ?? new Error('The connection was refused');
};

type State = {
  /** Whether a connect is for the same user as before; undefined when nobody is connected. */
  key: string | undefined;
  ready: Deferred<OwnUser> | undefined;
  /** The first connection of this session was made. */
  isOpen: boolean;
};

const createLife = (options: SessionOptions) => {
  const { holder, driver, log } = options;
  const state: State = { key: undefined, ready: undefined, isOpen: false };
  const end = async (reason: Error): Promise<void> => {
    const waiting = state.ready;
    Object.assign(state, { key: undefined, ready: undefined, isOpen: false });
    // The token goes last: a long-poll connection says goodbye with it.
    const closed = driver.disconnect();
    holder.current?.tokens?.stop();
    holder.current = undefined;
    options.onEnd();
    waiting?.reject(reason);
    await closed;
  };
  const start = (key: string, person: Person): Promise<OwnUser> => {
    holder.current?.tokens?.stop();
    holder.current = person;
    const ready = deferred<OwnUser>();
    Object.assign(state, { key, ready, isOpen: false });
    options.onStart(person.id);
    driver.connect({ tokens: person.tokens, payload: () => payloadOf(person, options, !state.isOpen) });
    return ready.promise;
  };
  /** The one way in. */
  const enter = (key: string, make: () => Person): Promise<OwnUser> => {
    if (state.key === undefined) return start(key, make());
    if (state.key !== key) return Promise.reject(new Error(texts.disconnectFirst));
    if (driver.state.get().status === 'disconnected') return start(key, make());
    log.warn('Connecting or connected already');
    if (!state.ready) {
      state.ready = deferred<OwnUser>();
      driver.wake();
    }
    return state.ready.promise;
  };
  const fail = (error: Error) => {
    const waiting = state.ready;
    if (!options.keepUserOnFailure) return void end(error);
    state.ready = undefined;
    waiting?.reject(error);
  };
  return { state, end, enter, fail };
};

export const createSession = (options: SessionOptions): Session => {
  const { holder, http, environment } = options;
  const { state, end, enter, fail } = createLife(options);
  const tokensFrom = (source: string | TokenProvider) => createTokenManager(source, environment);
  /** Refuses what no server would take, before anything is sent. */
  const checked = (
    user: UserInput,
    connect: () => Promise<OwnUser>,
    token: unknown = '',
  ): Promise<OwnUser> => {
    try {
      if (!user?.id) throw new Error(texts.userIdMissing);
      if (!new RegExp(idPattern).test(user.id))
        throw new ParleyError('InputInvalid', `"${user.id}" is no user id: it must match ${idPattern}`);
      checkToken(token ?? '', /string|function/);
      // Not awaited: a second connect of the same user returns the same promise.
      return connect();
    } catch (error) {
      return Promise.reject(error);
    }
  };
  const guest = (user: UserInput): Person => {
    const person: Person = { id: user.id, user, tokens: undefined };
    let access_token: string | undefined;
    person.tokens = tokensFrom(async () => {
      // The token that ended is sent along, or the guest would come back as somebody else.
      const body = { user, ...(access_token && { access_token }) };
      const reply = await http.call('POST /guest', { body, open: true });
      // The server may give a guest another id than it asked for.
      person.id = reply.user.id;
      access_token = reply.access_token;
      return access_token;
    });
    return person;
  };
  return {
    connectUser: (user, token) =>
      checked(user, () => enter(user.id, () => ({ id: user.id, user, tokens: tokensFrom(token) })), token),
    connectAnonymous: () => enter(anonymous, () => ({ id: anonymous, tokens: undefined })),
    connectGuest: (user) => checked(user, () => enter(`guest:${user.id}`, () => guest(user))),
    disconnect: () => end(new Error('Disconnected before the connection opened')),
    onHello: (me) => {
      if (holder.current) holder.current.id = me.id;
      holder.current?.tokens?.accepted();
      state.isOpen = true;
      state.ready ??= deferred<OwnUser>();
      state.ready.resolve(me);
    },
    onState: (machine) => {
      if (state.isOpen || !state.ready) return;
      const error = firstFailure(machine, options.firstAttempts);
      if (error) fail(error);
    },
  };
};
