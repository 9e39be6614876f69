/** What only the own user sees among the messages of a channel: pending ones, and ephemeral ones. */
import type { ChannelStateReply, Message } from '@parley/protocol';
import { checkRef } from '../../cid.ts';
import type { Core } from '../../core.ts';
import type { Unsubscribe } from '../../readable.ts';
import { internMessage } from '../../sync/intern.ts';
import type { PendingOp } from '../../sync/overlay.ts';
import type { ConfirmedChannel, MessageRef, VisibleMessage } from '../../sync/state.ts';
import { findMessage } from '../../sync/timeline.ts';
import { draftOf } from './pending.ts';
import { changeThread, isInChannel } from './reducer.ts';

const asideKey = (id: string): string => `aside ${id}`;

/** A pending message waits at the end; an ephemeral one stays at its time. */
const placed = (list: readonly VisibleMessage[], message: VisibleMessage): readonly VisibleMessage[] => {
  if (findMessage(list, message.id)) return list;
  const before = message.pending ? -1 : list.findLastIndex(({ created_at: at }) => at <= message.created_at);
  return message.pending ? list.concat(message) : list.toSpliced(before + 1, 0, message);
};

const asideOp = (message: VisibleMessage): PendingOp => ({
  key: asideKey(message.id),
  apply: (state): ConfirmedChannel => ({
    ...state,
    messages: isInChannel(message) && !state.hasNewer ? placed(state.messages, message) : state.messages,
    threads: changeThread(state, message.parent_id, (thread) => ({
      ...thread,
      messages: placed(thread.messages, message),
    })),
  }),
});

type NoteOptions = { parentId?: string | undefined; id?: string };

/** The asides that are shown, by id. */
const shownIn = new WeakMap<Core, Map<string, Message>>();

const shownOf = (core: Core): Map<string, Message> => {
  const known = shownIn.get(core) ?? new Map<string, Message>();
  shownIn.set(core, known);
  return known;
};

const show = (core: Core, message: Message): void => {
  shownOf(core).set(message.id, message);
  const visible = internMessage(message, core.users, message.cid);
  core.store.putOp(message.cid, asideOp({ ...visible, status: 'private' }));
};

const dismiss = (core: Core, { cid, id }: MessageRef): void => {
  if (shownOf(core).delete(id)) core.store.removeOp(cid, asideKey(id));
};

export const createNotes = (core: Core) => ({
  /** A word to the own user alone, on this device; the same id again takes the place of the first. */
  note: (cid: string, text: string, { parentId, id = core.environment.uuid() }: NoteOptions = {}): void => {
    const state = core.store.confirmed(cid);
    if (!state) return;
    const now = new Date(core.environment.clock.now()).toISOString();
    // The clock of the server may be ahead: what was said last stays above.
    const last = state.messages.at(-1)?.created_at ?? '';
    const input = { text, silent: true, ...(parentId ? { parent_id: parentId } : {}) };
    const entry = { cid, id, input, createdAt: last > now ? last : now, status: 'sending' as const };
    show(core, { ...draftOf(entry, state, core.ownUser()), type: 'ephemeral', number: 0 });
  },
  /** Takes an ephemeral message away. */
  dismiss: (ref: MessageRef): void => {
    checkRef(ref);
    dismiss(core, ref);
  },
});

/** What the server says is waiting is what is shown as waiting. */
export const takePending = (
  core: Core,
  { channel, pending_messages: waiting = [] }: ChannelStateReply,
): void => {
  const shown = shownOf(core);
  for (const message of shown.values())
    if (message.pending && message.cid === channel.cid && !waiting.some(({ id }) => id === message.id))
      dismiss(core, message);
  for (const message of waiting) if (!shown.has(message.id)) show(core, message);
};

/** Shows asides as they come and ends them with their cause; returns its stop. */
export const followAsides = (core: Core): Unsubscribe => {
  const come = ({ message }: { message: unknown }) => show(core, message as Message);
  const go = ({ message }: { message: MessageRef }) => dismiss(core, message);
  const stop = core.events.listen({
    'notification.ephemeral_message': come,
    'notification.pending_message': come,
    'notification.pending_message_deleted': go,
    'message.new': go,
  });
  return () => {
    stop();
    for (const message of [...shownOf(core).values()]) dismiss(core, message);
  };
};
