import type { Message } from '@parley/client';

/** What the address of a message is made of. */
export type MessageSpot = Pick<Message, 'cid' | 'id'> &
  Partial<Pick<Message, 'parent_id' | 'show_in_channel'>>;
