import { sql } from 'kysely';
import type { Kernel } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Storage } from '../../storage/storage.ts';
import { deleteFile } from './store.ts';

const everyMs = 5000;
const leaseMs = 60_000;
const batch = 50;
const hourMs = 3_600_000;

type Due = { id: string; state: string };

const oldest = ({ clock, config }: Kernel): string =>
  isoTime(clock.now() - config.uploads.orphanHours * hourMs);

/** Takes files that nothing needs: half received, unused for a day, of messages that are gone, or deleted but still stored.
 * Of several servers one gets each; whose server dies meanwhile is taken again when the lease ends. */
const claim = async (kernel: Kernel): Promise<Due[]> => {
  const now = kernel.clock.now();
  const { rows } = await sql<Due>`
    update files set leased_until = ${isoTime(now + leaseMs)} where id in (
      select id from files
      where (not linked or state <> 'ready')
        and (state = 'removing' or (state = 'ready' and unlinked_at is not null) or used_at < ${oldest(kernel)})
        and (leased_until is null or leased_until < ${isoTime(now)})
      order by used_at limit ${batch} for update skip locked
    ) returning id, state`.execute(kernel.db);
  return rows;
};

/** Which of these are named by what is no message: people, channels, drafts, and messages that wait or are to be sent later.
 * Of a file that was attached only what its uploader wrote counts: else a stranger who knows its URL would keep it from being
 * removed. The conditions are those of the indexes, so that the cost does not grow with all people and channels. */
const findNamed = async (kernel: Kernel, ids: string[]): Promise<Set<string>> => {
  const named = (from: string, text: string, writer: string) =>
    sql`select ${sql.raw(writer)} as writer, named_files(${sql.raw(text)}) as ids from ${sql.raw(from)}
      where ${sql.raw(text)} like '%/files/%' and named_files(${sql.raw(text)}) && ${ids}::text[]`;
  const { rows } = await sql<{ id: string }>`
    select distinct files.id from files join (
      ${named('users', "coalesce(image, '') || data::text", 'id')}
      union all ${named('channels', "coalesce(image, '') || data::text", 'null')}
      union all ${named('drafts', 'attachments::text || data::text', 'user_id')}
      union all ${named('pending_messages', 'input::text', 'user_id')}
      union all ${named('scheduled_messages', 'input::text', 'user_id')}
    ) place on files.id = any(place.ids) and (not files.was_attached or place.writer = files.user_id)
    where files.id = any(${ids})`.execute(kernel.db);
  return new Set(rows.map((row) => row.id));
};

const keep = (kernel: Kernel, ids: string[]): Promise<unknown> =>
  sql`update files set used_at = ${kernel.now()}, unlinked_at = null, leased_until = null
    where id = any(${ids})`.execute(kernel.db);

/** Once more under the row's lock: what was named or attached since it was claimed stays. */
const condemn = async (kernel: Kernel, id: string): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update files set state = 'removing' where id = ${id}
      and (state <> 'ready' or (not linked and (unlinked_at is not null or used_at < ${oldest(kernel)})))`.execute(
    kernel.db,
  );
  return (numAffectedRows ?? 0n) > 0n;
};

/** Removes what nobody needs, for good. All that it has to know is in the database, so a restart loses nothing. */
export const createCollector = (kernel: Kernel, storage: Storage) => {
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: { stop(): void } | undefined;

  const remove = async (id: string): Promise<void> => {
    if (!(await condemn(kernel, id))) return;
    await storage.remove(id);
    await storage.remove(`${id}.thumb`);
    await deleteFile(kernel.db, id);
  };

  const collect = async (): Promise<void> => {
    while (!isStopped) {
      const due = await claim(kernel);
      if (due.length === 0) return;
      const loose = due.filter(({ state }) => state === 'ready').map(({ id }) => id);
      const named = loose.length > 0 ? await findNamed(kernel, loose) : new Set<string>();
      if (named.size > 0) await keep(kernel, [...named]);
      for (const { id } of due) {
        if (isStopped) return;
        if (!named.has(id)) await remove(id);
      }
    }
  };

  const run = (): Promise<void> => {
    timer?.stop();
    running ??= collect()
      .catch((error: unknown) => kernel.log.error({ err: error }, 'files could not be removed'))
      .finally(() => {
        running = undefined;
        if (!isStopped) timer = kernel.clock.setTimeout(() => void run(), everyMs);
      });
    return running;
  };

  return {
    /** Removes one file whose row says so already; what fails here is done by the next round. */
    removeNow: (id: string): Promise<void> =>
      remove(id).catch((error: unknown) => kernel.log.warn({ err: error }, 'a file is removed later')),
    start: (): (() => Promise<void>) => {
      void run();
      return async () => {
        isStopped = true;
        timer?.stop();
        await running;
      };
    },
  };
};
export type Collector = ReturnType<typeof createCollector>;
