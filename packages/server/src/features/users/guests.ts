import { invalid, ParleyError, type User, type UserInput } from '@parley/protocol';
import { isRevoked } from '../../auth/revocation.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Apps } from '../apps/service.ts';
import type { Users } from './service.ts';

const day = 86_400;
/** A token of a guest is good for this long. */
const lifetimeSeconds = 7 * day;
/** For this long after its end a guest's token is exchanged for a new one of the same guest. */
const renewSeconds = 30 * day;

type Deps = { kernel: Kernel; users: Users; apps: Apps; tokens: Awaited<Tokens> };

/** Makes guests, and gives those that come back a new token. */
export const createGuests = ({ kernel, users, apps, tokens }: Deps) => {
  const again = async (token: string): Promise<User> => {
    const claims = await tokens.verify(token, renewSeconds);
    const entry = await users.cache.get(kernel.db, claims.userId ?? '');
    if (entry?.row.role !== 'guest') throw invalid('access_token', 'is not the token of a guest');
    const { deleted_at, deactivated_at, revoke_tokens_issued_before } = entry.row;
    if (deleted_at !== null || deactivated_at !== null)
      throw new ParleyError('AuthenticationFailed', 'The guest was deleted or deactivated');
    const since = [revoke_tokens_issued_before, (await apps.get()).revoke_tokens_issued_before];
    if (since.some((before) => isRevoked(claims.iat, before))) throw new ParleyError('TokenRevoked');
    return entry.user;
  };
  return async (
    input: UserInput,
    token: string | undefined,
  ): Promise<{ user: User; access_token: string }> => {
    await apps.checkVisitor('guest');
    const user = token === undefined ? (await users.guest(input)).user : await again(token);
    return { user, access_token: await tokens.issue(user.id, lifetimeSeconds) };
  };
};
export type Guests = ReturnType<typeof createGuests>;
