import { expect, test } from 'vitest';
import type { Timeline, VisibleMessage } from './state.ts';
import { appendPage, appendSequenced, endOf, isBehind, removeMessage } from './timeline.ts';

const at = (second: number, more: Partial<VisibleMessage> = {}): VisibleMessage =>
  ({
    id: `m${second}`,
    created_at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    silent: false,
    ...more,
  }) as VisibleMessage;

const elsewhere = (messages: VisibleMessage[]): Timeline => ({
  messages,
  unsequenced: 0,
  hasOlder: true,
  hasNewer: true,
});

test('M3 a message that comes while the last page is on its way is not lost: the page is not taken for the end', () => {
  const passed = appendSequenced(elsewhere([at(1)]), at(9, { silent: true }), 50);

  const early = appendPage(passed, [at(2), at(3)], { hasNewer: false, cap: 50 });
  const whole = appendPage(early, [at(9)], { hasNewer: false, cap: 50 });

  expect(early.hasNewer).toBe(true);
  expect(whole.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm9']);
  expect(whole).toMatchObject({ hasNewer: false, passed: undefined });
});

test('M3 a page with nothing newer ends the asking, also where what was passed over is gone', () => {
  const passed = appendSequenced(elsewhere([at(1)]), at(9), 50);

  expect(appendPage(passed, [], { hasNewer: false, cap: 50 }).hasNewer).toBe(false);
  expect(removeMessage(passed, 'm9')).toMatchObject({ tail: undefined, passed: undefined });
});

test('M6 the newest replies, read before the last one came, are not taken for all', () => {
  const passed = appendSequenced(elsewhere([at(1)]), at(9), 50);

  expect(isBehind([at(7), at(8)], passed)).toBe(true);
  expect(isBehind([at(8), at(9)], passed)).toBe(false);
  expect(endOf(passed, true)).toMatchObject({ hasNewer: true, passed: { id: 'm9' } });
});

test('M6 the log brings what is older than a page loaded ahead of it: it stays before the window', () => {
  const end = { ...elsewhere([at(7), at(8)]), hasNewer: false };
  const ids = (timeline: Timeline) => timeline.messages.map(({ id }) => id);

  const replayed = [at(1), at(6), at(7), at(8), at(9)].reduce<Timeline>(
    (timeline, message) => appendSequenced(timeline, message, 50),
    end,
  );
  expect(ids(replayed)).toEqual(['m7', 'm8', 'm9']);
  const sent = { ...end, messages: [at(7), at(9)], unsequenced: 1 };
  expect(ids(appendSequenced(sent, at(2), 50))).toEqual(['m7', 'm9']);
  expect(ids(appendSequenced(sent, at(8), 50))).toEqual(['m7', 'm8', 'm9']);
  // A list that begins at the beginning has nothing before it.
  expect(ids(appendSequenced({ ...end, hasOlder: false }, at(6), 50))).toEqual(['m7', 'm8', 'm6']);
});
