import type { VisibleMessage } from '@parley/client';
import type { ComponentType } from 'react';
import type { AvatarPerson } from '../../ui/avatar.tsx';
import type { MessageActs } from './use-message-actions.ts';

/** The props of a dialog about one message. */
export type MessageDialogProps = { message: VisibleMessage; onClose: () => void };

export type MessageItemActs = Omit<MessageActs, 'delete'> & {
  /** Asks before it deletes. */
  delete: (message: VisibleMessage) => void;
  /** Opens the dialog that asks how long the message stays pinned. */
  choosePin: (message: VisibleMessage) => void;
  /** Quotes the message in the composer. */
  quote: (message: VisibleMessage) => void;
  /** Edits the message in the composer. */
  edit: (message: VisibleMessage) => void;
  /** Jumps to a message that is quoted. */
  openQuote: (messageId: string) => void;
  /** Left out inside a thread. */
  openThread?: ((message: VisibleMessage) => void) | undefined;
  /** Opens the earlier versions of the message. */
  openHistory: (message: VisibleMessage) => void;
  /** Opens a dialog about the message. The focus returns to the row when it is closed. */
  openDialog: (Dialog: ComponentType<MessageDialogProps>, message: VisibleMessage) => void;
  /** Copies the text of the message. */
  copy: (message: VisibleMessage) => void;
  /** Copies the address of the message. Left out where messages have none. */
  copyLink?: ((message: VisibleMessage) => void) | undefined;
};

/** The delivery and the reads of a message. */
export type MessageMarks = {
  state: 'sent' | 'delivered' | 'read';
  /** The people of a group who have read as far as this message. They are shown as avatars instead of a text. */
  seenBy?: readonly AvatarPerson[];
  /** The number of readers and of members of a large channel. */
  count?: { n: number; of: number };
};

export type MessageItemProps = {
  message: VisibleMessage;
  own: boolean;
  startsGroup: boolean;
  endsGroup: boolean;
  /** Made by `abilitiesOf`. */
  abilities: string;
  isOnline: boolean;
  highlighted: boolean;
  marks?: MessageMarks | undefined;
  acts: MessageItemActs;
};
