import {
  type ChannelState,
  canDelete,
  canEdit,
  canPin,
  canQuote,
  canReact,
  canReply,
  canSend,
  canUndelete,
  hasCapability,
  isEdited,
  isOwn,
  type VisibleMessage,
} from '@parley/client';

type Me = { id: string } | undefined;

/** A message that waits to be sent, or was refused, can be edited, too. */
const isEditable = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  message.status !== 'private' && canEdit(state, me, message);

const isReplyable = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  canReply(state, me) &&
  message.parent_id === undefined &&
  message.type === 'regular' &&
  message.status !== 'private';

/** A failed message can be sent again, a pending one can be committed. */
const isRetryable = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  message.status === 'failed' ||
  (message.pending === true && (message.parent_id === undefined ? canSend : canReply)(state, me));

/** Authors read the earlier versions of their own messages. */
const hasHistory = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  isEdited(message) && (isOwn(message, me) || hasCapability(state, 'read-message-history'));

const canMark = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  me !== undefined &&
  message.status !== 'private' &&
  state.read[me.id] !== undefined &&
  hasCapability(state, 'read-events');

const rules = {
  react: canReact,
  quote: canQuote,
  thread: isReplyable,
  edit: isEditable,
  delete: canDelete,
  pin: canPin,
  history: hasHistory,
  mark: canMark,
  retry: isRetryable,
  restore: canUndelete,
} satisfies Record<string, (state: ChannelState, me: Me, message: VisibleMessage) => boolean>;

export type MessageAbility = keyof typeof rules;

/** A message that the server does not have offers no others. */
const ofUnsent = /edit|del|try/;

/** The actions that the reader may take on a message, as one string: rows compare it by value and do not render again. */
export const abilitiesOf = (state: ChannelState, me: Me, message: VisibleMessage): string =>
  Object.entries(rules)
    .filter(
      ([ability, allows]) =>
        (/sent|private/.test(message.status) || ofUnsent.test(ability)) && allows(state, me, message),
    )
    .map(([ability]) => ability)
    .join(' ');

export const hasAbility = (abilities: string, ability: MessageAbility): boolean =>
  abilities.split(' ').includes(ability);
