/** Copies of messages that are held outside the store: in reminders, in the inbox, above the composer. They follow the events. */
import type { EventOf, Message } from '@parley/protocol';
import type { Events } from '../events.ts';
import { stopAll, type Unsubscribe } from '../readable.ts';

/** A copy after what happened; undefined where its message is gone. */
export type HeldChange = (held: Message) => Message | undefined;

/** A quote is the message as everyone sees it, without a quote of its own. */
const asQuote = ({ own_reactions: _, quoted_message: __, ...quote }: Message): Message => quote;

const afterMessage =
  (message: Message, isGone: boolean): HeldChange =>
  (held) => {
    if (held.id === message.id) {
      if (isGone) return undefined;
      return message.updated_at < held.updated_at ? held : message;
    }
    if (held.quoted_message_id !== message.id) return held;
    const { quoted_message: _, ...rest } = held;
    return isGone ? rest : { ...rest, quoted_message: asQuote(message) };
  };

/** Without the messages of a channel up to a time. */
const afterClearing =
  (cid: string | undefined, until: string): HeldChange =>
  (held) =>
    held.cid === cid && held.created_at <= until ? undefined : held;

/** Calls `changed` with every change of messages, which may concern a copy. */
export const followMessages = (on: Events['on'], changed: (change: HeldChange) => void): Unsubscribe => {
  const truncated = ({
    cid,
    channel,
    created_at,
  }: EventOf<'channel.truncated' | 'notification.channel_truncated'>) =>
    changed(afterClearing(cid, channel.truncated_at ?? created_at));
  return stopAll([
    on('message.updated', ({ message }) => changed(afterMessage(message, false))),
    on('message.undeleted', ({ message }) => changed(afterMessage(message, false))),
    on('message.deleted', ({ message, hard_delete }) => changed(afterMessage(message, hard_delete === true))),
    on('channel.truncated', truncated),
    on('notification.channel_truncated', truncated),
    on('channel.hidden', ({ cid, cleared_at }) => cleared_at && changed(afterClearing(cid, cleared_at))),
  ]);
};
