import { expect, test } from 'vitest';
import { publishingProblems } from './publishing.ts';

const linesOf = (path: string, text: string): string[] =>
  publishingProblems(path, text).map((problem) => problem.split(' ')[0] ?? '');

test('a feature that calls the bus is found, and the kernel may', () => {
  const text = '// kernel.bus.publish(event)\nkernel.bus.publish(event);\nbus\n  .publish(event);';
  const path = 'packages/server/src/features/polls/service.ts';
  expect(linesOf(path, text)).toEqual([`${path}:2`, `${path}:3`]);
  expect(linesOf('packages/server/src/kernel/kernel.ts', text)).toEqual([]);
});

test('only the listed features publish outside a transaction', () => {
  const text =
    'kernel.publishTransient(event);\ntx.notify(ids, type, {});\nconst { publishTransient } = deps.kernel;';
  const polls = 'packages/server/src/features/polls/service.ts';
  expect(linesOf(polls, text)).toEqual([`${polls}:1`, `${polls}:3`]);
  expect(linesOf('packages/server/src/features/typing/service.ts', text)).toEqual([]);
  const gateway = 'packages/server/src/gateway/sync.ts';
  expect(linesOf(gateway, text)).toEqual([`${gateway}:1`, `${gateway}:3`]);
});
