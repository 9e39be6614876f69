import type { Ask } from './actors.ts';
import type { Scene } from './scene.ts';

/** One row of the table: what is asked of a call. */
export type Door = {
  /** Second column: what about the call is asked; with `own` the thing is the actor's, otherwise another's. */
  what: string;
  own?: boolean;
  /** The call changes the room for others: every actor gets a room of their own. */
  spoils?: boolean;
  /** Undefined where there is nothing to ask about. */
  ask(scene: Scene): Ask | undefined | Promise<Ask | undefined>;
  /** A good answer that lacks this text shows nothing of the room: the cell says `none`. */
  shows?(scene: Scene): string;
};

export const secret = ({ room }: Scene): string => room.secret;

/** The same question about the actor's own thing and about another's. */
export const both = (ask: Door['ask'], more: Partial<Door> = {}): Door[] => [
  { what: 'own', own: true, ask, ...more },
  { what: "other's", ask, ...more },
];

/** Both, with words before. */
export const bothOf = (what: string, ask: Door['ask'], more: Partial<Door> = {}): Door[] => [
  { what: `${what}, own`, own: true, ask, ...more },
  { what: `${what}, other's`, ask, ...more },
];

export const one = (ask: Door['ask'] = () => ({}), more: Partial<Door> = {}): Door[] => [
  { what: '', ask, ...more },
];
export const inRoom = (body: unknown = {}, more: Partial<Door> = {}): Door[] =>
  one(({ path }) => ({ path, body }), more);
