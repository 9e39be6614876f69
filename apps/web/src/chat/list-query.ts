import type { ChannelQuery } from '@parley/client';
import type { Shelf } from '../app/address.ts';

const shelfFilters = { chats: { archived: false }, archived: { archived: true }, hidden: { hidden: true } };

/** Members see what they are in; those who only look see what is open. */
export const queryOf = (ownId: string, isVisitor: boolean, shelf: Shelf | 'chats'): ChannelQuery => ({
  filter: isVisitor
    ? { type: 'livestream' }
    : { members: { $in: [ownId] }, invite: { $ne: 'pending' }, ...shelfFilters[shelf] },
  sort: [
    { field: 'pinned_at', direction: -1 },
    { field: 'last_updated', direction: -1 },
  ],
  limit: 20,
  // The last that is shown may stand before some that are not; the rest is fetched ahead.
  messageLimit: 3,
});
