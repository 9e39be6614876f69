import type { Message } from '@parley/client';

/** The parts of the address of a message. */
export type MessageSpot = Pick<Message, 'cid' | 'id'> &
  Partial<Pick<Message, 'parent_id' | 'show_in_channel'>>;

/** Where the message of a reminder stands. */
export const spotOf = ({
  cid,
  message_id: id,
  message,
}: {
  cid: string;
  message_id: string;
  message?: Partial<Pick<Message, 'parent_id' | 'show_in_channel'>>;
}): MessageSpot => ({
  cid,
  id,
  ...(message?.parent_id !== undefined && { parent_id: message.parent_id }),
  ...(message?.show_in_channel !== undefined && { show_in_channel: message.show_in_channel }),
});
