import { expect, test } from 'vitest';
import { Boundary } from './boundary.tsx';

const drawn = (of: unknown, before: { of?: unknown; hasFailed: boolean }) => {
  const props = { of, fallback: 'cannot be shown', children: 'a poll' };
  const boundary = new Boundary(props);
  boundary.state = Boundary.getDerivedStateFromProps(props, before);
  return boundary.render();
};

test('M2 a part that threw is replaced by a text, until its message changes', () => {
  const message = { id: 'm' };
  const failed = { of: message, ...{ hasFailed: false }, ...Boundary.getDerivedStateFromError() };

  expect(drawn(message, { hasFailed: false })).toBe('a poll');
  expect(drawn(message, failed)).toBe('cannot be shown');
  expect(drawn({ id: 'm', text: 'edited' }, failed)).toBe('a poll');
});
