import { expect, test } from 'vitest';
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts';

test('W2 single keys are shortcuts until they are switched off, and can be switched on again', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  expect(areSingleKeysOn(storage)).toBe(true);
  setSingleKeys(storage, false);
  expect(areSingleKeysOn(storage)).toBe(false);
  setSingleKeys(storage, true);
  expect(areSingleKeysOn(storage)).toBe(true);
});

test('W2 single keys stay shortcuts where the storage has no room to remember', () => {
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(() => setSingleKeys({ setItem, removeItem: () => {} }, false)).not.toThrow();
});
