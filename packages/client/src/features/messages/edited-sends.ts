/** Sends of messages that were edited while they waited, loaded with the first of them. */
import type { Message, MessageInput } from '@parley/protocol';
import type { ParleyError } from '@parley/protocol/errors';
import type { Core } from '../../core.ts';
import type { OutboxEntry } from '../../sync/outbox.ts';

/** The fields that an edit may change. The others were fixed when the message was written. */
const editOf = (input: MessageInput) => {
  const { id, type, command, args, parent_id, show_in_channel, ...others } = input;
  const { quoted_message_id, poll_id, shared_location, silent, user_id, ...edit } = others;
  return edit;
};

/** Whether the server has all that is wanted; it may have added to it. */
const covers = (stored: unknown, wanted: unknown): boolean => {
  if (typeof wanted !== 'object' || wanted === null) return (stored ?? undefined) === (wanted ?? undefined);
  if (typeof stored !== 'object' || stored === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(stored) || stored.length !== wanted.length)) return false;
  const parts: Record<string, unknown> = { ...stored };
  return Object.entries(wanted).every(([key, value]) => covers(parts[key], value));
};

type Said = Pick<MessageInput, 'text' | 'attachments' | 'mentioned_roles'> & {
  mentioned_here?: boolean | undefined;
  mentioned_channel?: boolean | undefined;
};
const saidOf = (one: Said, mentioned: readonly string[]) => ({
  ...one,
  text: one.text ?? '',
  attachments: one.attachments ?? [],
  mentioned_users: [...new Set(mentioned)].sort(),
  mentioned_roles: [...(one.mentioned_roles ?? [])].sort(),
  mentioned_here: one.mentioned_here === true,
  mentioned_channel: one.mentioned_channel === true,
});

const isOther = (message: Message, input: MessageInput): boolean =>
  !covers(
    saidOf(
      message,
      message.mentioned_users.map(({ id }) => id),
    ),
    saidOf(editOf(input), input.mentioned_users ?? []),
  );

type Send = (entry: OutboxEntry) => Promise<Message>;

const isRefusal = (error: unknown): error is ParleyError =>
  error instanceof Error && 'retryable' in error && error.retryable === false;

/** A message that the server has as it was before is no longer refused: what is refused is its edit. */
const storedOf = async (core: Core, entry: OutboxEntry, send: Send): Promise<Message> => {
  try {
    return await send(entry);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const stored = await core.http.call('GET /messages/{id}', { path: { id: entry.id } }).catch((cause) => {
      throw isRefusal(cause) ? error : cause;
    });
    entry.refusal = error;
    return stored.message;
  }
};

export const createEditedSends = (core: Core) => ({
  /**
   * Sends a message that was edited while it waited. A try whose answer was lost, or that was on its way during the edit, has stored it
   * as it was before: then it is an edit like any other. Until that is answered it stays in the outbox, so that a reload repeats it.
   */
  finish: async (entry: OutboxEntry, send: Send): Promise<Message> => {
    // The refusal of an edit before this one says nothing about this one.
    delete entry.refusal;
    const stored = await storedOf(core, entry, send);
    if (entry.refusal || !isOther(stored, entry.input)) return stored;
    core.confirm({ type: 'message.new', cid: entry.cid, message: stored }, entry.seq);
    try {
      const body = { message: editOf(entry.input) };
      const { message, seq } = await core.http.call('PUT /messages/{id}', { path: { id: entry.id }, body });
      core.confirm({ type: 'message.updated', cid: entry.cid, message }, seq);
      entry.seq = seq;
      return message;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      entry.refusal = error;
      return stored;
    }
  },
});
