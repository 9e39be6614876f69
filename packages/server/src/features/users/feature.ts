import type { Tokens } from '../../auth/tokens.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Apps } from '../apps/service.ts';
import type { Roles } from '../roles/service.ts';
import { createUserCache } from './cache.ts';
import { createGuests } from './guests.ts';
import { usersRoutes } from './routes.ts';
import { Users } from './service.ts';

type Deps = { kernel: Kernel; presence: Presence; tokens: Awaited<Tokens>; roles: Roles; apps: Apps };

export const createUsers = ({ kernel, presence, tokens, roles, apps }: Deps): Feature<Users> => {
  const service = new Users({
    kernel,
    cache: createUserCache(kernel),
    presence,
    roleExists: roles.isAppRole,
    maySearch: (actor) => apps.may(actor, 'search-users'),
  });
  const guests = createGuests({ kernel, users: service, apps, tokens });
  return { service, routes: (routes) => usersRoutes(routes, service, guests) };
};
