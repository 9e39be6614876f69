import { afterEach, expect, test, vi } from 'vitest';
import { offerFocus } from './offer-focus.ts';

afterEach(() => vi.unstubAllGlobals());

type Place = { isField?: boolean; isInDialog?: boolean };

/** Offers the focus to a field outside of every dialog, while it is elsewhere. */
const offerWhile = ({ isField = false, isInDialog = false }: Place, isNewPlace?: boolean) => {
  const dialog = { contains: () => false };
  const activeElement = { matches: () => isField, closest: () => (isInDialog ? dialog : null) };
  vi.stubGlobal('document', { activeElement });
  const focus = vi.fn();
  offerFocus({ focus } as unknown as HTMLElement, isNewPlace);
  return focus.mock.calls.length === 1;
};

test.each<[what: string, place: Place, isNewPlace: boolean, takes: boolean]>([
  ['from the page', {}, false, true],
  ['not from another field', { isField: true }, false, false],
  ['from another field in a new place', { isField: true }, true, true],
  ['not from an open dialog', { isInDialog: true }, false, false],
  ['not from a dialog in a new place either', { isInDialog: true, isField: true }, true, false],
])('M8 the composer takes the focus %s', (_what, place, isNewPlace, takes) => {
  expect(offerWhile(place, isNewPlace)).toBe(takes);
});

test('M8 an offer while nothing has the focus is taken', () => {
  vi.stubGlobal('document', { activeElement: null });
  const focus = vi.fn();

  offerFocus({ focus } as unknown as HTMLElement);

  expect(focus).toHaveBeenCalledOnce();
});
