import { expect, test } from 'vitest';
import { forgetPerson } from './forget-person.ts';

const aShelf = (keys: string[]) => ({
  get length() {
    return keys.length;
  },
  key: (index: number) => keys[index] ?? null,
  removeItem: (key: string) => void keys.splice(keys.indexOf(key), 1),
});
const device = ['parley.theme', 'parley device', 'parley.signed-in', 'another app'];
const ana = { kind: 'user', id: 'ana' } as const;

test('W1 a sign-out leaves the settings of the device, and nothing of the person', () => {
  const keys = ['parley draft ana messaging:x ', 'parley reminders ana', ...device, 'parley-emojis'];

  forgetPerson(ana, aShelf(keys), false);

  expect(keys).toEqual(device);
});

test('W1 a sign-out leaves what belongs to others who are signed in', () => {
  const keys = ['parley draft ana messaging:x ', 'parley draft bo messaging:ana ', 'parley reminders ana'];

  forgetPerson(ana, aShelf(keys), true);

  expect(keys).toEqual(['parley draft bo messaging:ana ']);
});
