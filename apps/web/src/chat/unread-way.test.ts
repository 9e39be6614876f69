import { expect, test, vi } from 'vitest';
import { createUnreadWay } from './unread-way.ts';

const [here, there] = ['/c/team/general', '/c/team/random'];

const createWay = () => {
  const page = { path: here };
  return { page, unread: createUnreadWay(() => page.path), way: vi.fn() };
};

test('W2 a key for the first unread message that comes before the conversation is kept until it is there', () => {
  const { unread, way } = createWay();
  unread.go();
  unread.go();
  const stop = unread.set(here, way);
  expect(way).toHaveBeenCalledTimes(1);
  unread.go();
  expect(way).toHaveBeenCalledTimes(2);

  stop();
  unread.set(here, way);
  expect(way).toHaveBeenCalledTimes(2);
});

test('W2 a key for the first unread message is not for the conversation that is left or opened later', () => {
  const { page, unread, way } = createWay();
  const left = vi.fn();
  unread.set(here, left);
  page.path = there;
  unread.go();
  unread.set(here, left);
  expect(left).not.toHaveBeenCalled();
  page.path = '/';
  unread.set(there, way);
  page.path = there;
  unread.set(there, way);

  expect(way).not.toHaveBeenCalled();
});
