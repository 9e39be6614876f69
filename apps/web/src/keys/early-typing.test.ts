import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepTyping } from './early-typing.ts';

class Button extends EventTarget {}

beforeEach(() => void vi.stubGlobal('HTMLButtonElement', Button));
afterEach(() => void vi.unstubAllGlobals());

const aKey = (key: string, more: Partial<KeyboardEvent> = {}) => {
  const pressed = { isKept: false, isComposing: false, ctrlKey: false, metaKey: false, altKey: false };
  return {
    ...pressed,
    key,
    preventDefault() {
      this.isKept = true;
    },
    stopPropagation: () => {},
    ...more,
  };
};

const aPage = () => {
  let listener: ((event: KeyboardEvent) => void) | undefined;
  return {
    addEventListener: (_: string, added: unknown) => {
      listener = added as typeof listener;
    },
    removeEventListener: () => {
      listener = undefined;
    },
    /** True when the key does not reach what has the focus. */
    press: (key: string, more?: Partial<KeyboardEvent>) => {
      const event = aKey(key, more);
      listener?.(event as unknown as KeyboardEvent);
      return event.isKept;
    },
  };
};

test('W2 keys pressed before the switcher is there do not reach the composer: Enter would send its draft', () => {
  const page = aPage();
  const early = keepTyping(page, () => {});

  expect(
    ['b', '👋', 'Backspace', 'o', 'Enter', 'Tab', 'ArrowUp'].map((key) => page.press(key)),
  ).not.toContain(false);
  expect(page.press('F5')).toBe(false);
  expect(page.press('k', { ctrlKey: true })).toBe(false);
  expect(early.take()).toBe('bo');
  expect(page.press('Enter')).toBe(false);
});

test('W2 Escape gives up before the switcher is there', () => {
  const page = aPage();
  const onEscape = vi.fn();
  keepTyping(page, onEscape);
  page.press('Escape');

  expect(onEscape).toHaveBeenCalledOnce();
});

test('W1 on a kept page letters are kept, and keys by which a late app is tried again do their work', () => {
  const page = aPage();
  const early = keepTyping(page);

  expect([' ', 'Tab', 'Enter', 'Escape'].map((key) => page.press(key))).not.toContain(true);
  expect(['h', 'i', ' ', 'x', 'Backspace'].map((key) => page.press(key))).not.toContain(false);
  expect(early.take()).toBe('hi ');
});

test('W1 a button has its keys, also after letters were typed on a kept page', () => {
  const page = aPage();
  const early = keepTyping(page);
  page.press('h');

  expect(
    [' ', 'Enter', 'i', 'Backspace'].map((key) => page.press(key, { target: new Button() })),
  ).not.toContain(true);
  expect(early.take()).toBe('h');
});

test.each([
  ['MacIntel', '@', {}, true],
  ['MacIntel', 'ArrowDown', {}, false],
  ['MacIntel', '@', { ctrlKey: true }, false],
  ['Win32', 'd', {}, false],
])('W1 on %s "%s" with Alt is a letter where Alt makes letters (%o: %s)', (platform, key, more, isKept) => {
  vi.stubGlobal('navigator', { platform });
  const page = aPage();
  const early = keepTyping(page);

  expect(page.press(key, { altKey: true, ...more })).toBe(isKept);
  expect(early.take()).toBe(isKept ? key : '');
});
