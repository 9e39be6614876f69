import { expect, test } from 'vitest';
import { storeWriteProblems } from './store-writes.ts';

const linesOf = (path: string, text: string) =>
  storeWriteProblems(`packages/client/src/${path}`, text).map(
    (problem) => problem.split(' ')[0]?.split(':')[1],
  );

test('a feature that writes to the store is found, in whatever way it writes', () => {
  const text = [
    'core.store.update(cid, change);',
    'store.set(cid, state);',
    'const { putOp } = core.store;',
    'slot.seq = 3;',
    'core.me.set(undefined);',
    '// store.update is for pages',
    'core.store.find(cid);',
  ].join('\n');

  expect(linesOf('features/polls/index.ts', text).sort()).toEqual(['1', '2', '3', '4', '5']);
});

test('the modules that load pages, and those that hold the state, may write', () => {
  expect(linesOf('features/messages/pages.ts', 'store.update(cid, change);')).toEqual([]);
  expect(linesOf('features/messages/pages.ts', 'store.remove(cid);')).toEqual(['1']);
  expect(linesOf('sync/gap.ts', 'store.set(cid, state, place);')).toEqual([]);
});
