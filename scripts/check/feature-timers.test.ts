import { expect, test } from 'vitest';
import { timerProblems } from './feature-timers.ts';

test('a timer in a feature is found, unless the file is listed', () => {
  const text = '// setTimeout is not for this\nkernel.clock.setTimeout(run, 1000);';
  const polls = 'packages/server/src/features/polls/expiry.ts';
  expect(timerProblems(polls, text).map((problem) => problem.split(' ')[0])).toEqual([`${polls}:2`]);
  expect(timerProblems('packages/server/src/features/presence/service.ts', text)).toEqual([]);
  expect(timerProblems('packages/server/src/features/presence/expiry.ts', text)).toHaveLength(1);
});
