import type { Access } from '../../access/access.ts';
import { isRevoked } from '../../auth/revocation.ts';
import type { HubHooks } from '../../hub/hub.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Apps } from '../apps/service.ts';
import type { UserCache } from '../users/cache.ts';

type Deps = { kernel: Kernel; access: Access; apps: Apps; users: UserCache };
type ConnectionRights = Pick<HubHooks, 'mayWatch' | 'clearedAt' | 'readableTypes' | 'refresh'>;

/** Answers the hub: what a connection may watch and receive, and whether it may stay open. */
export const createConnectionRights = ({ kernel, access, apps, users }: Deps): ConnectionRights => ({
  mayWatch: (actor, cid) => access.mayRead(actor, cid),
  clearedAt: async (actor, cid) => (await access.look(actor, cid))?.member?.cleared_at ?? undefined,
  readableTypes: (actor) => access.memberTypes(actor),
  refresh: async ({ actor, issued }) => {
    const app = await apps.get();
    if (app.suspended) return undefined;
    if (actor.kind === 'anonymous') return app.anonymous_enabled ? actor : undefined;
    const user = await users.get(kernel.db, actor.user.row.id);
    if (!user || user.row.deleted_at !== null || user.row.deactivated_at !== null) return undefined;
    if (user.row.role === 'guest' && !app.guests_enabled) return undefined;
    const since = [app.revoke_tokens_issued_before, user.row.revoke_tokens_issued_before];
    return since.some((before) => isRevoked(issued, before)) ? undefined : { ...actor, user };
  },
});
