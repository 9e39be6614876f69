import { ParleyError } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { Others } from '../cluster/others.ts';
import { NoAnswer } from '../cluster/questions.ts';
import type { Connection, Followed, Owner, Watcher } from './connection.ts';
import { serverOfConnection } from './connection-id.ts';
import type { Hub } from './hub.ts';

type Deps = { hub: Pick<Hub, 'findOwn'>; others: Pick<Others, 'self' | 'questions'> };

/** The question of another server about a connection that is held here. */
type Act =
  | { act: 'find' }
  | { act: 'watch' | 'unwatch'; cids: readonly string[] }
  | { act: 'follow' | 'unfollow'; followed: [reason: string, userIds: readonly string[]][] };
type Question = Act & { connectionId: string; owner: Owner };

const call = 'connection';

const noSuchConnection = (): ParleyError =>
  new ParleyError('InputInvalid', 'No such connection', [
    { path: 'connection_id', message: 'names no open connection of this user' },
  ]);

/** A server has no connection of its own, for whomever it acts. */
export const ownerOf = (actor: Actor): Owner | undefined =>
  actor.kind === 'server' ? undefined : { kind: actor.kind, userId: actor.user.row.id };

const doHere = async (connection: Connection, question: Question): Promise<void> => {
  if (question.act === 'watch') await connection.watch(question.cids);
  else if (question.act === 'unwatch') await connection.unwatch(question.cids);
  else if (question.act === 'follow') await connection.followPresence(new Map(question.followed));
  else if (question.act === 'unfollow') await connection.unfollowPresence(new Map(question.followed));
};

/** The connections that calls name. Behind a balancer without sticky sessions a call may arrive at another server than the one that
 * holds the connection: that one is asked, and checks again whose connection it is. */
export class NamedConnections {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.others.questions.handle(call, async (question: Question) => {
      const connection = deps.hub.findOwn(question.connectionId, question.owner);
      if (connection) await doHere(connection, question);
      return connection !== undefined;
    });
  }

  /** The connection that a call names; it must be the caller's own. */
  find(id: string | undefined, actor: Actor): Watcher | undefined | Promise<Watcher> {
    if (id === undefined) return undefined;
    const owner = ownerOf(actor);
    const here = owner && this.#deps.hub.findOwn(id, owner);
    if (here) return here;
    const holder = this.holderOf(id);
    if (!owner || holder === undefined) throw noSuchConnection();
    return this.#findElsewhere(holder, id, owner);
  }

  /** The other server that holds the connection, if the id names one. */
  holderOf(id: string): string | undefined {
    const serverId = serverOfConnection(id);
    return serverId === this.#deps.others.self ? undefined : serverId;
  }

  async #findElsewhere(holder: string, connectionId: string, owner: Owner): Promise<Watcher> {
    const ask = async (act: Act): Promise<void> => {
      const question: Question = { ...act, connectionId, owner };
      const isOpen = await this.#deps.others.questions.ask(holder, call, question).catch((error: unknown) => {
        // A server that is silent delivers no events either: the caller connects again.
        if (error instanceof NoAnswer) return false;
        throw error;
      });
      if (isOpen !== true) throw noSuchConnection();
    };
    const follow = async (act: 'follow' | 'unfollow', followed: Followed): Promise<void> => {
      if (followed.size > 0) await ask({ act, followed: [...followed] });
    };
    await ask({ act: 'find' });
    return {
      watch: (cids) => ask({ act: 'watch', cids }),
      unwatch: async (cids) => {
        if (cids.length > 0) await ask({ act: 'unwatch', cids });
      },
      followPresence: (followed) => follow('follow', followed),
      unfollowPresence: (followed) => follow('unfollow', followed),
    };
  }
}
