import type { Message } from '@parley/protocol';
import type { ChannelFacts, ChannelState } from '../../sync/state.ts';
import { hasCapability } from '../channels/selectors.ts';

export { findLoaded as selectMessage, isInChannel } from './reducer.ts';

type Me = { id: string } | undefined;

/** Whether the own user is the author. */
export const isOwn = (message: Pick<Message, 'user'>, me: Me): boolean =>
  me !== undefined && message.user?.id === me.id;
/** Whether the message is deleted. */
export const isDeleted = (message: Pick<Message, 'type'>): boolean => message.type === 'deleted';
/** Whether the text was edited after it was sent. */
export const isEdited = (message: Pick<Message, 'message_text_updated_at' | 'type'>): boolean =>
  message.message_text_updated_at !== undefined && !isDeleted(message);

const isWritable = ({ channel }: ChannelFacts): boolean =>
  !channel.disabled && channel.deleted_at === undefined;
/** A frozen channel takes nothing new, from nobody. */
const isOpen = (state: ChannelFacts): boolean => isWritable(state) && !state.channel.frozen;
/** Messages of a frozen channel are changed only by those who may freeze it. */
const isChangeable = (state: ChannelState): boolean =>
  isWritable(state) && (!state.channel.frozen || hasCapability(state, 'freeze-channel'));
const isStored = (message: Message & { status?: string }): boolean => (message.status ?? 'sent') === 'sent';
const isSpoken = ({ type }: Message): boolean => type === 'regular' || type === 'reply';

/** Whether the own user may send messages. */
export const canSend = (state: ChannelState, me: Me): boolean =>
  me !== undefined && isOpen(state) && hasCapability(state, 'send-message');

/** Whether the own user may reply in threads of the channel. */
export const canReply = (state: ChannelState, me: Me): boolean =>
  me !== undefined &&
  isOpen(state) &&
  state.channel.config?.replies !== false &&
  hasCapability(state, 'send-reply');

/** Whether the own user may quote the message. */
export const canQuote = (state: ChannelState, me: Me, message: Message): boolean =>
  canSend(state, me) &&
  isSpoken(message) &&
  isStored(message) &&
  state.channel.config?.quotes !== false &&
  hasCapability(state, 'quote-message');

/** Whether the own user may edit the message. */
export const canEdit = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isChangeable(state) &&
  isSpoken(message) &&
  (isOwn(message, me) || hasCapability(state, 'update-message'));

/** Whether the own user may delete the message. */
export const canDelete = (state: ChannelState, me: Me, message: Message & { status?: string }): boolean =>
  me !== undefined &&
  isWritable(state) &&
  !isDeleted(message) &&
  message.status !== 'private' &&
  (isOwn(message, me) || hasCapability(state, 'delete-message'));

/** Users who may delete a message may restore it. */
export const canUndelete = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isChangeable(state) &&
  isDeleted(message) &&
  isStored(message) &&
  ((isOwn(message, me) && !message.deleted_by_other) || hasCapability(state, 'delete-message'));

/** Whether the own user may pin the message. */
export const canPin = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isChangeable(state) &&
  !isDeleted(message) &&
  isStored(message) &&
  hasCapability(state, 'pin-message');
