import type { OwnUser, ServerEvent } from '@parley/protocol';
import { checkObject } from './cid.ts';
import type { ConnectionState } from './connection/driver.ts';
import type { Core } from './core.ts';
import { defaultEnvironment } from './environment.ts';
import { createEvents, type Events } from './events.ts';
import { createFeatures, createReducers, type Features, followEvents } from './features/all.ts';
import { askOwn } from './features/channels/follow-own.ts';
import { reloadChannel } from './features/channels/load.ts';
import { takeOwn } from './features/channels/own.ts';
import { createMessageOutbox } from './features/messages/actions.ts';
import { refreshMembers } from './features/presence/refresh.ts';
import { createHttp, type Http } from './http/http.ts';
import { createLink } from './link.ts';
import { consoleLog } from './log.ts';
import { type ClientOptions, withDefaults } from './options.ts';
import { callEach, createBatch, createCell, listenerFailed, type Readable } from './readable.ts';
import { createAuth, type IdentityHolder, ownIdOf, type Session, toUser } from './session.ts';
import { createApply, createConfirm } from './sync/apply.ts';
import { isSequenced } from './sync/fill.ts';
import { createGap } from './sync/gap.ts';
import { internEvent } from './sync/intern.ts';
import type { Outbox } from './sync/outbox.ts';
import { createRecovery } from './sync/recover.ts';
import { createStore } from './sync/store.ts';
import { asUser, createUserCache } from './sync/user-cache.ts';

export type ParleyClient = Features &
  Pick<Session, 'connectUser' | 'connectAnonymous' | 'connectGuest' | 'disconnect'> & {
    /** Calls the listener for every event of a type; returns the function that ends it. */
    on: Events['on'];
    readonly connection: Readable<ConnectionState>;
    readonly me: Readable<OwnUser | undefined>;
    readonly http: Http;
    /** The feature of this client; made when it is first asked for, and reset when the user signs out. */
    feature<T>(feature: Feature<T>): T;
  };

/** The argument of `create`: the client, and the store with its overlay that the features inside the client use. */
export type FeatureCore = Core & { readonly client: ParleyClient; readonly outbox: Outbox };

/** A part of the client that is loaded late: `client.feature(polls)`. */
export type Feature<T> = {
  readonly name: string;
  /** Makes the feature; `client.feature` calls it once for each client. */
  create(core: FeatureCore): T;
};

/** Creates the store, and the paths by which events and replies change it. */
const createSync = (options: ClientOptions) => {
  const given = withDefaults(options);
  const environment = defaultEnvironment(options.environment);
  const log = options.log ?? consoleLog;
  const failed = (error: unknown) => log.error(listenerFailed, error);
  const batch = createBatch(queueMicrotask, failed);
  const holder: IdentityHolder = { current: undefined };
  const http = createHttp({ ...given, auth: createAuth(holder), timeout: given.httpTimeout, environment });
  const events = createEvents(failed);
  const store = createStore(batch);
  const users = createUserCache(given.userCacheSize, batch, (user) =>
    apply({ type: 'user.updated', created_at: user.updated_at, user }),
  );
  const me = createCell<OwnUser | undefined>(undefined, batch);
  const apply = createApply(store, createReducers(given.settings.windowSize));
  const take = (event: ServerEvent) => {
    internEvent(event, users);
    apply(event);
  };
  const confirm = createConfirm(store, take);
  const deliver = (event: ServerEvent) => {
    take(event);
    events.emit(event);
  };
  const { clock, random } = environment;
  const gap = createGap({
    store,
    deliver,
    fill: (cursors) => http.call('POST /sync', { body: { cursors } }),
    resync: (cid) => reloadChannel(core, cid),
    clock,
    random,
  });
  const core: Core = {
    ...{ http, store, users, gap, batch, events, environment, log, me, settings: given.settings },
    ownId: () => ownIdOf(holder),
    ownUser: () => holder.current && (users.readable(holder.current.id).get() ?? toUser(holder.current)),
    connectionId: () => Promise.resolve(undefined),
    settled: () => Promise.resolve(),
    afterJump: [],
    afterState: [],
    afterOutbox: [],
    resets: [],
    unsureIds: new Map(),
    loads: new Map(),
    lists: new Map(),
    privateMessages: new Map(),
    confirm: (event, seq) =>
      confirm(Object.assign({ created_at: new Date(clock.now()).toISOString() }, event), seq),
  };
  const receive = (event: ServerEvent) => {
    if (event.type === 'health.check') return;
    if (isSequenced(event)) gap.receive(event);
    else deliver(event);
  };
  return { given, core, holder, receive };
};

/** A chat client. It does nothing until a user connects. */
export const createClient = (options: ClientOptions): ParleyClient => {
  const { given, core, holder, receive } = createSync(options);
  const { store, gap, events, me, environment, http, log, users } = core;
  const outbox = createMessageOutbox(core);
  core.settled = outbox.settled;
  const features = createFeatures(core, outbox);
  const recovery = createRecovery({
    ...{ http, store, gap, isEnabled: given.recovers },
    unlogged: {
      take: (reply) => takeOwn(core, reply),
      ask: (cid) => askOwn(core, cid),
      meet: refreshMembers(core),
    },
    clock: environment.clock,
    random: environment.random,
    onDone: () => events.emit({ type: 'connection.recovered' }),
    onFailed: (error) => log.warn('State could not be recovered', error),
  });
  const made = new Map<Feature<unknown>, unknown>();
  let stopFollowing = () => {};
  let lastUser: string | undefined;

  const link = createLink({
    ...{ given, core, holder, receive },
    onHello: (hello, isReconnect) => {
      // A user who is known before the connection has a kept screen: what was loaded for it missed the events until now.
      if (isReconnect || me.get() || store.active.get()[0]) void recovery.run(hello.connectionId);
      me.set(hello.me);
      users.refresh(asUser(hello.me));
      outbox.flush();
    },
    onStart: (userId) => {
      if (lastUser !== undefined && lastUser !== userId) outbox.clear(new Error('Another user connected'));
      lastUser = userId;
      stopFollowing();
      stopFollowing = followEvents(core, features);
      outbox.setPaused(false);
    },
    onEnd: () => {
      stopFollowing();
      recovery.cancel();
      outbox.setPaused(true);
      for (const part of [gap, store, users, core.unsureIds]) part.clear();
      me.set(undefined);
      callEach(core.resets, (error) => log.error('A reset failed', error));
    },
  });
  core.connectionId = link.connectionId;
  const { onHello: _, onState: __, ...session } = link.session;
  const client: ParleyClient = {
    ...features,
    ...session,
    ...{ http, me },
    on: events.on,
    connection: link.state,
    feature: (value) => {
      checkObject('feature', value);
      const one = made.get(value) ?? value.create({ ...core, client, outbox });
      made.set(value, one);
      return one as never;
    },
  };
  return client;
};
