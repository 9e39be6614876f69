import { expect, test } from 'vitest';
import { fromCid } from './cid.ts';

test.each(['general', '', ':general'])('C3 %j is no cid, and the error says what one is', (cid) => {
  expect(() => fromCid(cid)).toThrow('is no cid such as "messaging:general"');
});

test('C3 a cid is a type and an id', () => {
  expect(fromCid('team:general')).toEqual({ type: 'team', id: 'general' });
});
