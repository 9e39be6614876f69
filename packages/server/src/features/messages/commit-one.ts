import type pg from 'pg';
import { messageNewEnvelope, messageNewOf } from '../../events/event-json.ts';
import type { CommittedBatch } from './commit-batch.ts';
import { counts, createMessageRow } from './message-row.ts';
import type { Prepared } from './prepare.ts';
import { toMessage } from './record.ts';
import { type PlaceTaken, statements } from './send-store.ts';

/** The message and the stored event (see events/logged-fields.ts), split where the statement inserts what only it knows: seq, number and
 * time. */
const partsOf = (message: Prepared, now: string) => {
  const row = createMessageRow(message, { seq: 0, last_number: 0, last_message_at: null }, now);
  const json = JSON.stringify(toMessage(row, message.refs));
  const kept = JSON.stringify({ id: row.id, silent: row.silent, user: { id: row.user_id } });
  return {
    row,
    // Number and times end the message, so nothing that a person wrote stands behind them.
    head: json.slice(0, json.lastIndexOf(',"number":')),
    envelope: messageNewEnvelope(message.cid),
    message: `","message":${kept.slice(0, -1)}`,
  };
};

/** Stores one message by one statement; undefined where it could not, and nothing happened. */
export const commitOne = async (
  client: pg.Client,
  message: Prepared,
  now: string,
): Promise<CommittedBatch | undefined> => {
  const parts = partsOf(message, now);
  const { rows } = await client.query<PlaceTaken>({
    ...statements.one,
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
      message.membershipCheck?.role ?? null,
    ],
  });
  const [place] = rows;
  if (!place) return undefined;
  const { seq, number, at } = place;
  const row = { ...parts.row, seq, number, created_at: at, updated_at: at };
  const messageJson = `${parts.head},"number":${number},"created_at":"${at}","updated_at":"${at}"}`;
  const eventJson = messageNewOf(seq, parts.envelope, at, messageJson);
  return { placed: [{ row, messageJson, eventJson }], outcomes: [{ json: messageJson, seq }] };
};
