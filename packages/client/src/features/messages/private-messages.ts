/** The messages of a channel that only the own user sees: pending ones and ephemeral ones. */
import type { ChannelStateReply, Message } from '@parley/protocol';
import type { Core } from '../../core.ts';
import type { Unsubscribe } from '../../readable.ts';
import { internMessage } from '../../sync/intern.ts';
import type { PendingOp } from '../../sync/overlay.ts';
import type { ConfirmedChannel, MessageRef, VisibleMessage } from '../../sync/state.ts';
import { findMessage } from '../../sync/timeline.ts';
import { changeThread, isInChannel } from './reducer.ts';

const keyOf = (id: string): string => `private ${id}`;

/** A pending message waits at the end; an ephemeral one stays at its time. */
const placed = (list: readonly VisibleMessage[], message: VisibleMessage): readonly VisibleMessage[] => {
  if (findMessage(list, message.id)) return list;
  const before = message.pending ? -1 : list.findLastIndex(({ created_at: at }) => at <= message.created_at);
  return message.pending ? list.concat(message) : list.toSpliced(before + 1, 0, message);
};

const privateOp = (message: VisibleMessage): PendingOp => ({
  key: keyOf(message.id),
  apply: (state): ConfirmedChannel => ({
    ...state,
    messages: isInChannel(message) && !state.hasNewer ? placed(state.messages, message) : state.messages,
    threads: changeThread(state, message.parent_id, (thread) => ({
      ...thread,
      messages: placed(thread.messages, message),
    })),
  }),
});

export const showPrivate = (core: Core, message: Message): void => {
  core.privateMessages.set(message.id, message);
  const visible = internMessage(message, core.users, message.cid);
  core.store.putOp(message.cid, privateOp({ ...visible, status: 'private' }));
};

export const dismiss = (core: Core, { cid, id }: MessageRef): void => {
  if (core.privateMessages.delete(id)) core.store.removeOp(cid, keyOf(id));
};

/** Shows exactly the messages as pending that the reply lists as pending. */
export const takePending = (
  core: Core,
  { channel, pending_messages: waiting = [] }: ChannelStateReply,
): void => {
  const shown = core.privateMessages;
  for (const message of shown.values())
    if (message.pending && message.cid === channel.cid && !waiting.some(({ id }) => id === message.id))
      dismiss(core, message);
  for (const message of waiting) if (!shown.has(message.id)) showPrivate(core, message);
};

/** Shows private messages as they arrive and removes them with their cause; returns its stop. */
export const followPrivateMessages = (core: Core): Unsubscribe => {
  const come = ({ message }: { message: Message }) => showPrivate(core, message);
  const go = ({ message }: { message: MessageRef }) => dismiss(core, message);
  const stop = core.events.listen({
    'notification.ephemeral_message': come,
    'notification.pending_message': come,
    'notification.pending_message_deleted': go,
    'message.new': go,
  });
  return () => {
    stop();
    for (const message of [...core.privateMessages.values()]) dismiss(core, message);
  };
};
