import { expect, test } from 'vitest';
import type { DeviceStorage } from '../../browser.ts';
import { aMessage } from '../../testing/records.ts';
import { createBook } from './book.ts';
import { createEntry } from './entry.ts';

const createStorage = (): DeviceStorage => {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
};

test('M8 a text typed before the connection and the unsaved one of before the reload both stay', () => {
  const storage = createStorage();
  const before = createBook(storage);
  before.open('ana');
  before.put({ ...createEntry('team:a', undefined), content: { text: 'unsaved' }, isDirty: true });

  const book = createBook(storage);
  const quote = aMessage('m1');
  book.put({ ...createEntry('team:a', undefined), content: { text: 'typed', quote }, isDirty: true });
  book.open('ana');

  expect(book.find('team:a', undefined).content).toEqual({ text: 'typed\n\nunsaved', quote });
});
