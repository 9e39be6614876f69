import {
  type ChannelState,
  canDelete,
  canEdit,
  canQuote,
  canReact,
  canReply,
  type VisibleMessage,
} from '@parley/client';

type Me = { id: string } | undefined;

const isEditable = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  message.status === 'sent' && canEdit(state, me, message);

const isReplyable = (state: ChannelState, me: Me, message: VisibleMessage): boolean =>
  canReply(state, me) && message.parent_id === undefined && message.type === 'regular';

const rules = {
  react: canReact,
  quote: canQuote,
  thread: isReplyable,
  edit: isEditable,
  delete: canDelete,
} satisfies Record<string, (state: ChannelState, me: Me, message: VisibleMessage) => boolean>;

export type MessageAbility = keyof typeof rules;

/** What the reader may do with a message, as one word list: rows compare it by value and stay still. */
export const abilitiesOf = (state: ChannelState, me: Me, message: VisibleMessage): string =>
  Object.entries(rules)
    .filter(([, allows]) => allows(state, me, message))
    .map(([ability]) => ability)
    .join(' ');

export const hasAbility = (abilities: string, ability: MessageAbility): boolean =>
  abilities.split(' ').includes(ability);
