import { eventSchemas, logEventTypes } from '@parley/protocol';
import { expect, test } from 'vitest';
import { isKept, keptFields } from './kept.ts';

test('of every record in an event of the log it is said what the log keeps', () => {
  const unknown = logEventTypes.flatMap((type) =>
    Object.entries(eventSchemas[type].properties)
      .filter(
        ([name, schema]) => /object|array/.test(String((schema as { type?: string }).type)) && !isKept(name),
      )
      .map(([name]) => `${type} ${name}`),
  );

  expect(unknown).toEqual([]);
});

test('nothing that a person wrote is kept', () => {
  const said = { text: 'secret', attachments: ['secret'], own: 'secret', quoted_message: { text: 'secret' } };
  const user = { id: 'ana', name: 'secret' };
  const kept = keptFields({
    hard_delete: false,
    message: { id: 'm', number: 3, user, ...said },
    shared_locations: [{ message_id: 'm', latitude: 51.5, longitude: 0.1 }],
    other: said,
    user,
  });

  expect(kept).toEqual({
    hard_delete: false,
    message: { id: 'm', number: 3, user: { id: 'ana' } },
    shared_locations: [{ message_id: 'm' }],
    other: {},
    user: { id: 'ana' },
  });
});
