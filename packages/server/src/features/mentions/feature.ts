import type { Feature } from '../../wiring/feature.ts';
import type { Roles } from '../roles/service.ts';
import type { UserCache } from '../users/cache.ts';
import { createMentionService, type Mentions } from './service.ts';

type Deps = { users: UserCache; roles: Roles };

export const createMentions = ({ users, roles }: Deps): Feature<Mentions> => ({
  service: createMentionService({ users, roleExists: roles.exists }),
});
