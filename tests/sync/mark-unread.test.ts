import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S10 a mark-unread from another device', {
  arrange: ({ ana }) => ana.read(),
  act: ({ ana, second }) => ana.markUnread(second),
  writes: [],
});

testLaw('S10 a mark-unread, taken back by reading', {
  arrange: async ({ ana, second }) => {
    await ana.read();
    await ana.markUnread(second);
  },
  act: ({ ana }) => ana.read(),
  writes: [],
});
