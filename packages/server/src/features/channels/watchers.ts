import type { User } from '@parley/protocol';
import type { Connection } from '../../hub/connection.ts';

const mostShown = 100;

type Watched = { here: number; elsewhere: number | undefined; connections: ReadonlySet<Connection> };

/** How many connections watch a channel on all servers, and the people among those of this server. */
export const watchersOf = ({ here, elsewhere = 0, connections }: Watched, withNames = false) => {
  const watcher_count = here + elsewhere;
  if (!withNames) return { watcher_count };
  const seen = new Map<string, User>();
  for (const { actor } of connections) {
    if (seen.size >= mostShown) break;
    if (actor.kind === 'user') seen.set(actor.user.row.id, actor.user.user);
  }
  return { watcher_count, watchers: [...seen.values()] };
};
