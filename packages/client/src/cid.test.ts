import { expect, test } from 'vitest';
import { fromCid, toCid } from './cid.ts';

test.each(['general', '', ':general'])('C3 %j is no cid, and the error says what one is', (cid) => {
  expect(() => fromCid(cid)).toThrow('is no cid such as "messaging:general"');
});

test('C3 a cid is a type and an id', () => {
  expect(fromCid('team:general')).toEqual({ type: 'team', id: 'general' });
});

test.each([undefined, null, 7, {}])(
  'C3 %j in place of a cid, a type or an id is refused in words',
  (wrong) => {
    const given = wrong as unknown as string;
    expect(() => fromCid(given)).toThrow(`"${wrong}" is no cid such as "messaging:general"`);
    expect(() => toCid('messaging', given)).toThrow(`"${wrong}" is no channel type or id`);
    expect(() => toCid(given, 'general')).toThrow(`"${wrong}" is no channel type or id`);
  },
);

test('C3 a cid without an id is refused', () => {
  expect(() => fromCid('messaging:')).toThrow('"" is no channel type or id');
});
