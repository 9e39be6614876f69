import { type ConnectPayload, type OwnUser, ParleyError } from '@parley/protocol';
import type { Authenticator, Credentials } from '../auth/authenticator.ts';
import type { ChannelPreferences } from '../features/channel-preferences/service.ts';
import { toOwnUser } from '../features/reads/record.ts';
import type { Reads } from '../features/reads/service.ts';
import type { Users } from '../features/users/service.ts';
import type { Connection, Sink } from '../hub/connection.ts';
import type { Hub } from '../hub/hub.ts';
import type { UserCap } from './caps.ts';

type Deps = {
  authenticator: Authenticator;
  users: Users;
  reads: Reads;
  preferences: ChannelPreferences;
  hub: Hub;
  userCap: UserCap;
};

export type Hello = { connection: Connection; me: OwnUser };
export type SayHello = ReturnType<typeof createHello>;

/** The first step of both transports: authenticate, store the user's details, and create the connection. */
export const createHello = ({ authenticator, users, reads, preferences, hub, userCap }: Deps) => {
  return async (credentials: Credentials, payload: ConnectPayload, sink: Sink): Promise<Hello> => {
    const actor = await authenticator.authenticate(credentials);
    if (actor.kind === 'server')
      throw new ParleyError('NotAllowed', 'A server token may not open a connection (connect)');
    const { iat: issued, exp: expires } = actor.claims ?? {};
    if (actor.kind === 'anonymous') {
      const connection = hub.open({ actor, sink });
      await hub.confirm(connection).catch((error: unknown) => {
        hub.close(connection);
        throw error;
      });
      const totals = { cids: [], unread: 0, unreadChannels: 0, unreadThreads: 0 };
      return { connection, me: toOwnUser(actor.user, totals) };
    }
    const { id } = actor.user.row;
    for (const named of [payload.user_id, payload.user_details?.id])
      if (named !== undefined && named !== id)
        throw new ParleyError(
          'AuthenticationFailed',
          'The token is of another user than the one who connects',
        );
    userCap.check(hub.connectionCount(id));
    const user = await users.ensure(id, payload.user_details);
    // Others may have come in while the user was read.
    userCap.check(hub.connectionCount(id));
    const connection = hub.open({ actor: { kind: 'user', user }, sink, issued, expires });
    try {
      await userCap.confirm(id, () => hub.connectionCount(id));
      await hub.confirm(connection);
      await hub.startMemberNotifications(connection);
      const totals = await hub.startMemberships(id, () => reads.totals(id));
      const channel_mutes = await preferences.mutesOf(id);
      return { connection, me: { ...toOwnUser(user, totals), channel_mutes } };
    } catch (error) {
      // Nobody else knows of the connection yet: left open, it would count as online for ever.
      hub.close(connection);
      await userCap.forget();
      throw error;
    }
  };
};
