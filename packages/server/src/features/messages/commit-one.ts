import { limits } from '@parley/protocol';
import type pg from 'pg';
import { messageNewJson } from '../../events/event-json.ts';
import type { CommittedBatch } from './commit-batch.ts';
import { counts, placeMessage } from './placing.ts';
import type { Prepared } from './prepare.ts';
import { toMessage } from './record.ts';

type Place = { seq: number; number: number; at: string };

/** All of one send: one round trip and one flush. It takes no row where the channel is locked by another, takes no messages,
 * or is gone, where the id is known, or where the author's membership is not what their right came from; the slower way then
 * finds out which. The membership is looked at by the update of its row: that sees a removal which ended after the
 * statement began, and costs no second look. */
const statement = {
  name: 'gc-one',
  text: `
    with channel as (
      select seq, last_number, last_message_at from channels
      where cid = $1 and not frozen and not disabled and deleted_at is null
        and not exists (select from messages where id = $2)
        and not exists (select from gone_message_ids where hash = md5($2)::uuid)
      for update skip locked
    ), next as (
      select seq + 1 as seq, last_number + $3::int as number, greatest(last_message_at, $4::timestamptz(3)) as at
      from channel
    ), read as (
      update members set read_number = next.number, unread_from = null, last_read = next.at, last_read_message_id = $2,
        read_version = next.seq * ${limits.marksPerEvent}
      from next where cid = $1 and user_id = $5 and ($15::text is null or (channel_role = $15 and not banned))
      returning user_id
    ), place as (
      select seq, number, at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time
      from next where $15::text is null or exists (select from read)
    ), message as (
      insert into messages (id, cid, user_id, text, type, attachments, mentioned, marks, silent, data, number, seq, created_at, updated_at, in_search_queue)
      select $2, $1, $5, $6, $7, $8::jsonb, $9::jsonb, $10::jsonb, $11, $12::jsonb, number, seq, at, at, true from place
    ), words as (
      insert into search_queue (message_id) select $2 from place
    ), event as (
      insert into events (cid, seq, created_at, payload)
      select $1, seq, at, '{"type":"message.new","seq":' || seq || $13 || time || $14 || ',"number":' || number
        || ',"created_at":"' || time || '","updated_at":"' || time || '"}}'
      from place
    ), moved as (
      update channels set seq = place.seq, last_number = place.number, last_message_at = place.at from place where cid = $1
    )
    select seq, number, at from place`,
};

const marker = 987_654_321;

/** The stored event (see events/kept.ts) and the message, split where the statement inserts what only it knows: seq, number and
 * time. */
const partsOf = (message: Prepared, now: string) => {
  const row = placeMessage(message, { seq: marker - 1, last_number: marker, last_message_at: null }, now);
  const json = JSON.stringify(toMessage(row, message.refs));
  // Number and times end the message, so nothing that a person wrote stands behind them.
  const head = json.slice(0, json.lastIndexOf(',"number":'));
  const kept = JSON.stringify({ id: row.id, silent: row.silent, user: { id: row.user_id } }).slice(0, -1);
  const event = messageNewJson(marker, message.cid, now, kept);
  const seqEnd = `{"type":"message.new","seq":${marker}`.length;
  const timeAt = event.indexOf(now, seqEnd);
  return {
    row,
    head,
    envelope: event.slice(seqEnd, timeAt),
    message: event.slice(timeAt + now.length, -1),
  };
};

/** Stores one message by one statement; undefined where it could not, and nothing happened. */
export const commitOne = async (
  client: pg.Client,
  message: Prepared,
  now: string,
): Promise<CommittedBatch | undefined> => {
  const parts = partsOf(message, now);
  const { rows } = await client.query<Place>({
    ...statement,
    values: [
      ...[
        message.cid,
        message.id,
        counts(message) ? 1 : 0,
        now,
        message.author.row.id,
        message.text,
        message.type,
      ],
      ...[message.attachments, message.mentioned].map((list) => JSON.stringify(list)),
      message.marks && JSON.stringify(message.marks),
      ...[message.silent, JSON.stringify(message.data), parts.envelope, parts.message],
      message.standing?.role ?? null,
    ],
  });
  const [place] = rows;
  if (!place) return undefined;
  const { seq, number, at } = place;
  const row = { ...parts.row, seq, number, created_at: at, updated_at: at };
  const messageJson = `${parts.head},"number":${number},"created_at":"${at}","updated_at":"${at}"}`;
  const eventJson = messageNewJson(seq, message.cid, at, messageJson);
  return { placed: [{ row, messageJson, eventJson }], outcomes: [{ json: messageJson, seq }] };
};
