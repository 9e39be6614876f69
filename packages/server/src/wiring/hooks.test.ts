import { expect, test } from 'vitest';
import { createHook, createSingleHook } from './hooks.ts';

test('answers stand in the order in which they were added, also for those who keep the list', () => {
  const hook = createHook<string>();
  const kept = hook.answers;

  hook.add('polls');
  hook.add('locations');

  expect(kept).toEqual(['polls', 'locations']);
});

test('a single hook has its stand-in until it is answered, and refuses a second answer', () => {
  const hook = createSingleHook('nothing');
  expect(hook.answer).toBe('nothing');

  hook.set('polls');

  expect(hook.answer).toBe('polls');
  expect(() => hook.set('locations')).toThrow('Two features');
});
