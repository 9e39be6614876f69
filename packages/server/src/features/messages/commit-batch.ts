import { limits, ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { readStandings } from '../../access/standing.ts';
import type { MessageRow } from '../../db/rows.ts';
import { keptMessageNewJson, messageNewJson } from '../../events/event-json.ts';
import { type Attempt, held, type Outcome } from '../../work/lane.ts';
import { type ChannelNumbers, placeMessage } from './placing.ts';
import type { Prepared } from './prepare.ts';
import { toMessage } from './record.ts';
import { takenId } from './store.ts';

/** `json` is the message as everyone sees it. A repeat has none: the stored message is the answer. */
export type Sent = { json: string; seq: number } | { repeated: true };

type LockedChannel = ChannelNumbers & {
  cid: string;
  frozen: boolean;
  disabled: boolean;
  deleted_at: string | null;
};
type Existing = { id: string; cid: string | null; user_id: string };
export type Placed = { row: MessageRow; messageJson: string; eventJson: string };
/** `outcomes` has one for each message of the batch; `placed` are those that were stored. */
export type CommittedBatch = { placed: Placed[]; outcomes: Outcome<Sent>[] };

const lockText =
  'select cid, seq, last_number, last_message_at, frozen, disabled, deleted_at from channels where cid = any($1::text[]) order by cid';

const statements = {
  lock: {
    name: 'gc-lock',
    text: `${lockText} for update`,
  },
  /** The same without those that others hold. */
  lockFree: { name: 'gc-lock-free', text: `${lockText} for update skip locked` },
  /** An id that was truncated or deleted for good is nobody's and stays taken. */
  existing: {
    name: 'gc-existing',
    text: `select m.id, c.cid, m.user_id from messages m
        left join channels c on c.cid = m.cid and c.emptied_seq < m.seq where m.id = any($1::text[])
      union all select asked.id, '', '' from unnest($1::text[]) asked (id) join gone_message_ids on hash = md5(asked.id)::uuid`,
  },
  messages: {
    name: 'gc-messages',
    text: `with words as (insert into search_queue (message_id) select unnest($1::text[]))
      insert into messages (id, cid, user_id, text, type, attachments, mentioned, marks, quoted_message_id, silent, data, number, seq, created_at, updated_at, in_search_queue)
      select id, cid, user_id, text, type, attachments::jsonb, mentioned::jsonb, marks::jsonb, quoted, silent, data::jsonb, number, seq, created_at, created_at, true
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bool[], $11::text[], $12::bigint[], $13::bigint[], $14::timestamptz[])
      as t (id, cid, user_id, text, type, attachments, mentioned, marks, quoted, silent, data, number, seq, created_at)`,
  },
  events: {
    name: 'gc-events',
    text: `insert into events (cid, seq, created_at, payload)
      select cid, seq, at, payload
      from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[]) as t (cid, seq, at, payload)`,
  },
  channels: {
    name: 'gc-channels',
    text: `update channels set seq = t.seq, last_number = t.number, last_message_at = t.at
      from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[]) as t (cid, seq, number, at)
      where channels.cid = t.cid`,
  },
  /** Who writes has read what came before. */
  reads: {
    name: 'gc-reads',
    text: `update members set read_number = t.number, unread_from = null, last_read = t.at, last_read_message_id = t.id, read_version = t.seq * ${limits.marksPerEvent}
      from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::bigint[]) as t (cid, user_id, number, at, id, seq)
      where members.cid = t.cid and members.user_id = t.user_id`,
  },
};

const refusalOf = (message: Prepared, channel: LockedChannel | undefined): ParleyError | undefined => {
  if (!channel || channel.deleted_at !== null)
    return new ParleyError('NotFound', `No channel ${message.cid}`);
  if (channel.frozen || channel.disabled)
    return new ParleyError('NotAllowed', `Not allowed to send-message in ${message.cid}`);
  return undefined;
};

type Looked = {
  locked: Map<string, LockedChannel>;
  taken: Map<string, Existing>;
  lost: (message: Prepared) => ParleyError | undefined;
  isHeld: (message: Prepared) => boolean;
};

const duplicateOf = (message: Prepared, existing: Existing): Sent | ParleyError =>
  existing.user_id === message.author.row.id && existing.cid === message.cid
    ? { repeated: true }
    : takenId(message.id);

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
      refusalOf(message, channel) ?? lost(message) ?? (before ? duplicateOf(message, before) : undefined);
    if (refusal || !channel) return refusal ?? held;
    const one = serialise(message, placeMessage(message, channel, now));
    placed.push(one);
    taken.set(message.id, { id: message.id, cid: message.cid, user_id: message.author.row.id });
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
        column(placed, 'quoted_message_id'),
        column(placed, 'silent'),
        jsonColumn(placed, 'data'),
        column(placed, 'number'),
        seqs,
        at,
      ],
    }),
    client.query({
      ...statements.events,
      values: [cids, seqs, at, placed.map(({ row }) => keptMessageNewJson(row.seq, row.cid, row))],
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
      values: [
        readers.map((row) => row.cid),
        readers.map((row) => row.user_id),
        readers.map((row) => row.number),
        readers.map((row) => row.created_at),
        readers.map((row) => row.id),
        readers.map((row) => row.seq),
      ],
    }),
  ];
};

const claimOf = ({ cid, author, standing }: Prepared) => ({ cid, userId: author.row.id, standing });

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
    const [, lockedRows, existingRows, refused] = await Promise.all([
      client.query('begin'),
      client.query<LockedChannel>({ ...lock, values: [cids] }),
      client.query<Existing>({ ...statements.existing, values: [ids] }),
      readStandings(client, batch.map(claimOf)),
    ]);
    const locked = new Map(lockedRows.rows.map((row) => [row.cid, row]));
    const taken = new Map(existingRows.rows.map((row) => [row.id, row]));
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
