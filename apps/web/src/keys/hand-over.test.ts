import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handOver } from './hand-over.ts';

class Field extends EventTarget {
  value = '';
  readonly place: string;
  constructor(place = 'main') {
    super();
    this.place = place;
  }
  closest(places: string) {
    return places.includes(this.place) ? this : null;
  }
  setRangeText(letters: string, start: number, end: number) {
    this.value = this.value.slice(0, start) + letters + this.value.slice(end);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('HTMLTextAreaElement', Field);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page on which a field or another element takes the focus or is pressed, and what is typed on it before that. */
const aPage = (search = '', activeElement: unknown = null) => {
  const listeners = new Set<(event: { type: string; target: EventTarget }) => void>();
  const location = { pathname: '/c/general', search };
  let isOver = false;
  const typing = {
    letters: 'yo',
    address: `/c/general${search}`,
    isOver: () => isOver,
    take: () => {
      isOver = true;
      return typing.letters;
    },
  };
  const act = (type: string, target: EventTarget) => {
    for (const listener of [...listeners]) listener({ type, target });
  };
  const page = {
    activeElement: activeElement as Element | null,
    location,
    addEventListener: (
      _: string,
      listener: Parameters<typeof listeners.add>[0],
      { signal }: AddEventListenerOptions,
    ) => {
      if (signal?.aborted) return;
      listeners.add(listener);
      signal?.addEventListener('abort', () => listeners.delete(listener));
    },
  };
  return { page, location, typing, focus: act.bind(null, 'focusin'), press: act.bind(null, 'pointerdown') };
};

test('W1 letters typed on a kept page stand in the composer when it takes the focus, behind the draft', () => {
  const [{ page, typing, focus }, field] = [aPage(), new Field()];
  const onInput = vi.fn();
  field.value = 'Hello ';
  field.addEventListener('input', onInput);

  handOver(page, typing);
  // The app is drawn, and its composer is not there yet.
  typing.letters += 'u';
  focus(field);
  focus(field);

  expect([field.value, onInput.mock.calls.length]).toEqual(['Hello you', 1]);
});

test('W1 letters typed on a kept page stand in a composer that has the focus already', () => {
  const field = new Field();
  const { page, typing } = aPage('', field);
  handOver(page, typing);
  expect(field.value).toBe('yo');
});

test('W1 letters typed on a kept page go nowhere else', () => {
  const [{ page, typing, focus }, field] = [aPage(), new Field()];
  handOver(page, typing);
  focus(new EventTarget());
  focus(field);
  expect(field.value).toBe('');
});

test('W1 letters typed on a kept page are dropped when another conversation is open by then', () => {
  const [{ page, location, typing, focus }, field] = [aPage(), new Field()];
  handOver(page, typing);
  location.pathname = '/c/other';
  focus(field);
  location.pathname = '/c/general';
  focus(field);
  expect([field.value, typing.isOver()]).toEqual(['', true]);
});

test('W1 letters typed on a kept page with a thread are dropped at once: it has two composers', () => {
  const { page, typing, focus } = aPage('?thread=1');
  const [main, panel] = [new Field('main'), new Field('panel')];
  handOver(page, typing);
  expect(typing.isOver()).toBe(true);
  focus(main);
  focus(panel);
  expect([main.value, panel.value]).toEqual(['', '']);
});

test('W1 letters typed on a kept page are dropped when a field is pressed that is not of the conversation', () => {
  const [{ page, typing, focus, press }, field] = [aPage(), new Field('panel')];
  handOver(page, typing);
  press(field);
  focus(new Field('main'));
  expect([field.value, typing.isOver()]).toEqual(['', true]);
});

test('W1 letters are no longer kept from the page when no composer takes the focus', () => {
  const [{ page, typing, focus }, field] = [aPage(), new Field()];
  handOver(page, typing);
  vi.advanceTimersByTime(2900);
  expect(typing.isOver()).toBe(false);
  vi.advanceTimersByTime(200);
  focus(field);
  expect([field.value, typing.isOver()]).toEqual(['', true]);
});
