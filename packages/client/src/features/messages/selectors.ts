import type { Message } from '@parley/protocol';
import type { ChannelFacts, ChannelState } from '../../sync/state.ts';
import { hasCapability } from '../channels/selectors.ts';

export { findLoaded as selectMessage, isInChannel } from './reducer.ts';

type Me = { id: string } | undefined;

export const isOwn = (message: Pick<Message, 'user'>, me: Me): boolean =>
  me !== undefined && message.user?.id === me.id;
export const isDeleted = (message: Pick<Message, 'type'>): boolean => message.type === 'deleted';
export const isEdited = (message: Pick<Message, 'message_text_updated_at' | 'type'>): boolean =>
  message.message_text_updated_at !== undefined && !isDeleted(message);

const isWritable = ({ channel }: ChannelFacts): boolean =>
  !channel.disabled && channel.deleted_at === undefined;
/** A frozen channel takes nothing new, from nobody. */
const isOpen = (state: ChannelFacts): boolean => isWritable(state) && !state.channel.frozen;
/** What is said in a frozen channel is changed by those alone who may freeze it. */
const isChangeable = (state: ChannelState): boolean =>
  isWritable(state) && (!state.channel.frozen || hasCapability(state, 'freeze-channel'));
const isStored = (message: Message & { status?: string }): boolean => (message.status ?? 'sent') === 'sent';
const isSpoken = ({ type }: Message): boolean => type === 'regular' || type === 'reply';

export const canSend = (state: ChannelState, me: Me): boolean =>
  me !== undefined && isOpen(state) && hasCapability(state, 'send-message');

export const canReply = (state: ChannelState, me: Me): boolean =>
  me !== undefined &&
  isOpen(state) &&
  state.channel.config?.replies !== false &&
  hasCapability(state, 'send-reply');

export const canQuote = (state: ChannelState, me: Me, message: Message): boolean =>
  canSend(state, me) &&
  isSpoken(message) &&
  isStored(message) &&
  state.channel.config?.quotes !== false &&
  hasCapability(state, 'quote-message');

export const canEdit = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isChangeable(state) &&
  isSpoken(message) &&
  (isOwn(message, me) || hasCapability(state, 'update-message'));

export const canDelete = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isWritable(state) &&
  !isDeleted(message) &&
  (message as { status?: string }).status !== 'private' &&
  (isOwn(message, me) || hasCapability(state, 'delete-message'));

/** Who may delete a message may bring it back. */
export const canUndelete = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isChangeable(state) &&
  isDeleted(message) &&
  isStored(message) &&
  ((isOwn(message, me) && !message.deleted_by_other) || hasCapability(state, 'delete-message'));

export const canPin = (state: ChannelState, me: Me, message: Message): boolean =>
  me !== undefined &&
  isChangeable(state) &&
  !isDeleted(message) &&
  isStored(message) &&
  hasCapability(state, 'pin-message');
