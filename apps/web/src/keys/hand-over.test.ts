import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handOver } from './hand-over.ts';

class Field extends EventTarget {
  value: string;
  constructor(value: string) {
    super();
    this.value = value;
  }
  setRangeText(letters: string, start: number, end: number) {
    this.value = this.value.slice(0, start) + letters + this.value.slice(end);
  }
}

beforeEach(() => void vi.stubGlobal('HTMLTextAreaElement', Field));
afterEach(() => void vi.unstubAllGlobals());

/** A page on which a field or another element takes the focus. */
const aPage = (activeElement: unknown = null) => {
  const listeners: ((event: { target: EventTarget }) => void)[] = [];
  return {
    activeElement: activeElement as Element | null,
    addEventListener: (_: string, listener: (typeof listeners)[number]) => void listeners.push(listener),
    focus: (target: EventTarget) => {
      for (const listener of listeners.splice(0)) listener({ target });
    },
  };
};

test('W1 letters typed on a kept page stand in the composer when it takes the focus, behind the draft', () => {
  const [page, field] = [aPage(), new Field('Hello ')];
  const onInput = vi.fn();
  field.addEventListener('input', onInput);

  handOver(page, 'you');
  page.focus(field);

  expect([field.value, onInput.mock.calls.length]).toEqual(['Hello you', 1]);
});

test('W1 letters typed on a kept page stand in a composer that has the focus already', () => {
  const field = new Field('');
  handOver(aPage(field), 'you');
  expect(field.value).toBe('you');
});

test('W1 letters typed on a kept page go nowhere else', () => {
  const [page, field] = [aPage(), new Field('')];
  handOver(page, 'you');
  page.focus(new EventTarget());
  page.focus(field);
  expect(field.value).toBe('');
});
