import { afterEach, expect, test, vi } from 'vitest';
import { backTo } from './back-to.ts';

afterEach(() => vi.unstubAllGlobals());

const closeOver = async (focused: object | null) => {
  const body = {};
  const page = { body, activeElement: body as object | null };
  vi.stubGlobal('document', page);
  const focus = vi.fn();
  expect(backTo(() => ({ focus }))('keyboard')).toBe(false);
  // A dialog that opens in the same moment takes the focus after the popup has asked where it should go.
  page.activeElement = focused ?? body;
  await Promise.resolve();
  return focus;
};

test('the focus goes back to the button of a popup that closed', async () => {
  expect(await closeOver(null)).toHaveBeenCalledWith({ preventScroll: true, focusVisible: true });
});

test('a dialog that opens while the popup closes keeps the focus', async () => {
  expect(await closeOver({ tagName: 'INPUT' })).not.toHaveBeenCalled();
});
