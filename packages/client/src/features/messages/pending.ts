/** How messages on their way look over what is confirmed. */
import type { Message, User } from '@parley/protocol';
import type { OutboxEntry } from '../../sync/outbox.ts';
import type { PendingOp } from '../../sync/overlay.ts';
import type { ConfirmedChannel, MessageRef, VisibleMessage } from '../../sync/state.ts';
import { findMessage } from '../../sync/timeline.ts';
import { changeThread, findLoaded, isInChannel, mapLoaded } from './reducer.ts';

const shown = (list: readonly VisibleMessage[], message: VisibleMessage): readonly VisibleMessage[] =>
  findMessage(list, message.id) ? list : list.concat(message);

export const draftOf = (
  entry: OutboxEntry,
  state: ConfirmedChannel,
  user: User | undefined,
): VisibleMessage => {
  const {
    mentioned_users: called = [],
    quoted_message_id,
    attachments = [],
    shared_location: where,
    ...input
  } = entry.input;
  const quoted = quoted_message_id ? findLoaded(state, quoted_message_id) : undefined;
  const at = { created_at: entry.createdAt, updated_at: entry.createdAt };
  const message = {
    ...input,
    id: entry.id,
    cid: entry.cid,
    ...(user && { user }),
    text: input.text ?? '',
    type: input.parent_id ? 'reply' : 'regular',
    attachments,
    mentioned_users: called.flatMap((id) => state.members.find((one) => one.user_id === id)?.user ?? []),
    ...(quoted_message_id ? { quoted_message_id } : {}),
    ...(quoted ? { quoted_message: quoted } : {}),
    reply_count: 0,
    reaction_counts: {},
    reaction_scores: {},
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    pinned: false,
    silent: input.silent ?? false,
    number: state.lastNumber,
    ...(where && {
      shared_location: { ...where, ...at, message_id: entry.id, cid: entry.cid, user_id: state.ownId },
    }),
    ...at,
  } satisfies Message;
  return { ...message, status: entry.status, ...(entry.error ? { error: entry.error } : {}) };
};

export const sendKey = (id: string): string => `send ${id}`;

/** Keeps the drawn message while nothing under it changed, so that its row does not render again. */
export const sendOp = (entry: OutboxEntry, user: User | undefined): PendingOp => {
  let drawn: { lastNumber: number; message: VisibleMessage } | undefined;
  const draw = (state: ConfirmedChannel): VisibleMessage => {
    if (drawn?.lastNumber !== state.lastNumber) {
      drawn = { lastNumber: state.lastNumber, message: draftOf(entry, state, user) };
    }
    return drawn.message;
  };
  return {
    key: sendKey(entry.id),
    apply: (state) => {
      const message = draw(state);
      const inChannel = isInChannel(message) && !state.hasNewer;
      const next = {
        ...state,
        messages: inChannel ? shown(state.messages, message) : state.messages,
        threads: changeThread(state, message.parent_id, (thread) => ({
          ...thread,
          messages: shown(thread.messages, message),
        })),
      };
      if (!entry.isEdited) return next;
      // The server may have stored it as it was before.
      const { text, attachments, mentioned_users } = message;
      return mapLoaded(next, entry.id, (known) => ({ ...known, text, attachments, mentioned_users }));
    },
  };
};

/** Lays a change over one message wherever it is shown. */
export const changeOp = (
  key: string,
  { id }: MessageRef,
  change: (message: VisibleMessage, state: ConfirmedChannel) => VisibleMessage,
): PendingOp => ({
  key,
  apply: (state) => mapLoaded(state, id, (message) => change(message, state)),
});
