import { ParleyError, type User } from '@parley/protocol';
import type { UserRow } from '../db/rows.ts';

/** A user row with its wire form made once. */
export type UserEntry = { row: UserRow; user: User };

/** The id of everyone without a token. No token and no user may have it, or visitors would be that person. */
export const anonymousId = '!anonymous';

/** The caller of an action. A server acts with every permission, for a user or for itself. */
export type Actor = (
  | { kind: 'user'; user: UserEntry }
  | { kind: 'anonymous'; user: UserEntry }
  | { kind: 'server'; user: UserEntry | undefined }
) & {
  /** The call was given up: see `Kernel.writeFor`. */
  isGone?: (() => boolean) | undefined;
};

/** The user in whose name something is written. */
export const actingUser = (actor: Actor): UserEntry => {
  if (actor.kind === 'anonymous') throw new ParleyError('NotAllowed', 'Anonymous users may not write');
  if (actor.user) return actor.user;
  throw new ParleyError('InputInvalid', 'A server-side call must say for which user it acts', [
    { path: 'user_id', message: 'user_id is required on this server-side call' },
  ]);
};

/** Refuses what happens in no channel, where no rule of one applies. A server decides for itself whom it acts for. */
export const refuseBanned = (actor: Actor, right: string): void => {
  if (actor.kind === 'user' && actor.user.row.banned)
    throw new ParleyError('NotAllowed', `Not allowed while banned (${right})`);
};

export const actorId = (actor: Actor): string | undefined => actor.user?.row.id;
