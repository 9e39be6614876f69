import { expect, test } from 'vitest';
import { publishingProblems } from './publishing.ts';

const linesOf = (path: string, text: string): string[] =>
  publishingProblems(path, text).map((problem) => problem.split(' ')[0] ?? '');

test('a feature that calls the bus is found, and the kernel may', () => {
  const text = '// kernel.bus.publish(fact)\nkernel.bus.publish(fact);\nbus\n  .publish(fact);';
  const path = 'packages/server/src/features/polls/service.ts';
  expect(linesOf(path, text)).toEqual([`${path}:2`, `${path}:3`]);
  expect(linesOf('packages/server/src/kernel/kernel.ts', text)).toEqual([]);
});

test('only the listed features publish outside a transaction', () => {
  const text = 'kernel.publishTransient(fact);\ntx.notify(ids, type, {});';
  const polls = 'packages/server/src/features/polls/service.ts';
  expect(linesOf(polls, text)).toEqual([`${polls}:1`]);
  expect(linesOf('packages/server/src/features/typing/service.ts', text)).toEqual([]);
  expect(linesOf('packages/server/src/gateway/sync.ts', text)).toEqual([
    'packages/server/src/gateway/sync.ts:1',
  ]);
});
