import { expect, test } from 'vitest';
import { partNameProblems } from './part-names.ts';

test('the composer and the messages name no feature that adds to them; a comment may', () => {
  const text = '// as a poll does\nexport const askPoll = () => {};';
  const composer = 'packages/react/src/features/composer/use-composer.ts';
  expect(partNameProblems(composer, text).map((problem) => problem.split(' ')[0])).toEqual([`${composer}:2`]);
  expect(partNameProblems('packages/react/src/features/polls/feature.tsx', text)).toEqual([]);
});
