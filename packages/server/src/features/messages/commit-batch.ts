import type { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { readMembershipRefusals } from '../../access/membership-check.ts';
import type { MessageRow } from '../../db/rows.ts';
import { loggedMessageNewJson, messageNewJson } from '../../events/event-json.ts';
import { type Attempt, held, type Outcome } from '../../work/lane.ts';
import { createMessageRow } from './message-row.ts';
import type { Prepared } from './prepare.ts';
import { toMessage } from './record.ts';
import { ownerOf, refusalOfChannel, refusalOfTaken } from './send-rules.ts';
import { type LockedChannel, readMarksOf, statements, type TakenId } from './send-store.ts';

/** `json` is the message as everyone sees it. A repeat has none: the stored message is the answer. */
export type Sent = { json: string; seq: number } | { repeated: true };

export type Placed = { row: MessageRow; messageJson: string; eventJson: string };
/** `outcomes` has one for each message of the batch; `placed` are those that were stored. */
export type CommittedBatch = { placed: Placed[]; outcomes: Outcome<Sent>[] };

type Looked = {
  locked: Map<string, LockedChannel>;
  taken: Map<string, TakenId>;
  lost: (message: Prepared) => ParleyError | undefined;
  isHeld: (message: Prepared) => boolean;
};

const serialise = (message: Prepared, row: MessageRow): Placed => {
  const messageJson = JSON.stringify(toMessage(row, message.refs));
  return {
    row,
    messageJson,
    eventJson: messageNewJson(row.seq, row.cid, row.created_at, messageJson),
  };
};

/** Without its row a channel is held or gone: a commit that waits for the lock finds out which. */
const placeBatch = (
  batch: Prepared[],
  { locked, taken, lost, isHeld }: Looked,
  now: string,
): CommittedBatch => {
  const placed: Placed[] = [];
  const outcomes = batch.map((message): Outcome<Sent> => {
    if (isHeld(message)) return held;
    const channel = locked.get(message.cid);
    const before = taken.get(message.id);
    const refusal =
      refusalOfChannel(message.cid, channel) ??
      lost(message) ??
      (before && refusalOfTaken(message.id, before, ownerOf(message)));
    if (refusal) return refusal;
    if (before) return { repeated: true };
    if (!channel) return held;
    const one = serialise(message, createMessageRow(message, channel, now));
    placed.push(one);
    taken.set(message.id, { id: message.id, ...ownerOf(message) });
    return { json: one.messageJson, seq: one.row.seq };
  });
  return { placed, outcomes };
};

const column = <K extends keyof MessageRow>(placed: Placed[], key: K) => placed.map(({ row }) => row[key]);
const jsonColumn = (placed: Placed[], key: 'attachments' | 'mentioned' | 'data') =>
  placed.map(({ row }) => JSON.stringify(row[key]));

const store = (
  client: pg.Client,
  placed: Placed[],
  locked: Map<string, LockedChannel>,
): Promise<unknown>[] => {
  const channels = [...new Set(column(placed, 'cid'))].flatMap((cid) => locked.get(cid) ?? []);
  // One row per reader: an update that meets a row twice keeps an arbitrary one.
  const readers = [...new Map(placed.map(({ row }) => [`${row.cid} ${row.user_id}`, row])).values()];
  const cids = column(placed, 'cid');
  const seqs = column(placed, 'seq');
  const at = column(placed, 'created_at');
  return [
    client.query({
      ...statements.messages,
      values: [
        column(placed, 'id'),
        cids,
        column(placed, 'user_id'),
        column(placed, 'text'),
        column(placed, 'type'),
        jsonColumn(placed, 'attachments'),
        jsonColumn(placed, 'mentioned'),
        placed.map(({ row }) => row.marks && JSON.stringify(row.marks)),
        column(placed, 'silent'),
        jsonColumn(placed, 'data'),
        column(placed, 'number'),
        seqs,
        at,
      ],
    }),
    client.query({
      ...statements.events,
      values: [cids, seqs, at, placed.map(({ row }) => loggedMessageNewJson(row.seq, row.cid, row))],
    }),
    client.query({
      ...statements.channels,
      values: [
        channels.map((channel) => channel.cid),
        channels.map((channel) => channel.seq),
        channels.map((channel) => channel.last_number),
        channels.map((channel) => channel.last_message_at),
      ],
    }),
    client.query({
      ...statements.reads,
      values: readMarksOf(readers),
    }),
  ];
};

const claimOf = ({ cid, author, membershipCheck }: Prepared) => ({
  cid,
  userId: author.row.id,
  membershipCheck,
});

type Options = { now: () => string; patience: Attempt['patience'] };

/** Stores a batch in one transaction of two round trips: lock and look, then write and commit. */
export const commitBatch = async (
  client: pg.Client,
  batch: Prepared[],
  { now, patience }: Options,
): Promise<CommittedBatch> => {
  const cids = [...new Set(batch.map(({ cid }) => cid))];
  const ids = batch.map(({ id }) => id);
  const lock = patience === 'waits' ? statements.lock : statements.lockFree;
  try {
    const [, lockedRows, takenRows, refused] = await Promise.all([
      client.query('begin'),
      client.query<LockedChannel>({ ...lock, values: [cids] }),
      client.query<TakenId>({ ...statements.taken, values: [ids] }),
      readMembershipRefusals(client, batch.map(claimOf)),
    ]);
    const locked = new Map(lockedRows.rows.map((row) => [row.cid, row]));
    const taken = new Map(takenRows.rows.map((row) => [row.id, row]));
    const isHeld = ({ cid }: Prepared) => patience === 'skips' && !locked.has(cid);
    const lost = (message: Prepared) => refused(claimOf(message));
    const result = placeBatch(batch, { locked, taken, lost, isHeld }, now());
    const writes = result.placed.length > 0 ? store(client, result.placed, locked) : [];
    await Promise.all([...writes, client.query('commit')]);
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};
