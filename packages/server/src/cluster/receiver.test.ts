import { expect, test } from 'vitest';
import type { BusEvent } from '../bus/bus.ts';
import { writeLinkText } from '../bus/link-text.ts';
import { Receiver } from './receiver.ts';

const createScene = () => {
  const received: string[] = [];
  const published: BusEvent[] = [];
  const receiver = new Receiver({
    self: 'one',
    membership: { receivedFrom: (id: string) => void received.push(id) },
    local: { publish: (event: BusEvent) => void published.push(event) },
    onError: (error: unknown) => {
      throw error;
    },
    // Nothing else is used for the events of users.
  } as unknown as ConstructorParameters<typeof Receiver>[0]);
  return { receiver, received, published };
};

test('W4 a text that comes by the database beside a bus is carried out, and is no sign of life of a server that the bus may not reach', () => {
  const { receiver, received, published } = createScene();
  const event: BusEvent = { kind: 'users', userIds: ['ana'], type: 'x', json: '{}' };
  const text = writeLinkText('two', { kind: 'event', event });

  receiver.receive(text, false);
  expect(published).toEqual([event]);
  expect(received).toEqual([]);

  receiver.receive(text);
  expect(published).toEqual([event, event]);
  expect(received).toEqual(['two']);
});
