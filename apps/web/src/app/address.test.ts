import { expect, test } from 'vitest';
import { isSameBut, readAddress, sidebarOf, without } from './address.ts';

test('W2 an address is read as far as the app knows it; a search without words is open', () => {
  expect(readAddress({ m: 'a', q: '', thread: '', list: 'archived', other: 'x', panel: ['a', 'b'] })).toEqual(
    {
      m: 'a',
      q: '',
      list: 'archived',
    },
  );
  expect(readAddress({ list: 'anything' })).toEqual({});
});

test('W2 another conversation keeps the parts of the sidebar', () => {
  expect(sidebarOf({ m: 'a', panel: 'members', q: 'goose', list: 'hidden' })).toEqual({
    q: 'goose',
    list: 'hidden',
  });
  expect(without({ m: 'a', q: 'goose' }, 'q')).toEqual({ m: 'a' });
});

test('W2 closing is a step back only where the address below is this one without its panel', () => {
  const at = '/c/team/general?panel=members&q=a';
  expect(isSameBut('/c/team/general?q=a', at, 'panel')).toBe(true);
  expect(isSameBut('/c/team/general?m=1&q=a', at, 'panel')).toBe(true);
  expect(isSameBut('/c/team/general', at, 'panel')).toBe(false);
  expect(isSameBut('/c/team/random?q=a', at, 'panel')).toBe(false);
});
