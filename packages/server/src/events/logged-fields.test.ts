import { eventSchemas, logEventTypes } from '@parley/protocol';
import { expect, test } from 'vitest';
import { hasLoggedFields, loggedFields } from './logged-fields.ts';

test('every record in an event of the log has a list of the fields that the log stores', () => {
  const unknown = logEventTypes.flatMap((type) =>
    Object.entries(eventSchemas[type].properties)
      .filter(
        ([name, schema]) =>
          /object|array/.test(String((schema as { type?: string }).type)) && !hasLoggedFields(name),
      )
      .map(([name]) => `${type} ${name}`),
  );

  expect(unknown).toEqual([]);
});

test('nothing that a person wrote is stored', () => {
  const said = { text: 'secret', attachments: ['secret'], own: 'secret', quoted_message: { text: 'secret' } };
  const user = { id: 'ana', name: 'secret' };
  const logged = loggedFields({
    hard_delete: false,
    message: { id: 'm', number: 3, user, ...said },
    shared_locations: [{ message_id: 'm', latitude: 51.5, longitude: 0.1 }],
    other: said,
    user,
  });

  expect(logged).toEqual({
    hard_delete: false,
    message: { id: 'm', number: 3, user: { id: 'ana' } },
    shared_locations: [{ message_id: 'm' }],
    other: {},
    user: { id: 'ana' },
  });
});
