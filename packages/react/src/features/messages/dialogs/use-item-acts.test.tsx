import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { NoticeContext } from '../../../ui/notices.tsx';
import { useCopy } from './use-item-acts.tsx';

const show = vi.fn(() => 'notice');
afterEach(() => {
  show.mockClear();
  vi.unstubAllGlobals();
});

/** Copies a text with the function that a row gets. */
const copyIn = async (clipboard: object | undefined) => {
  vi.stubGlobal('navigator', { clipboard });
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof useCopy>>();
  function Row() {
    resolve(useCopy());
    return null;
  }
  renderToStaticMarkup(
    <NoticeContext value={{ show, dismiss: () => {} }}>
      <Row />
    </NoticeContext>,
  );
  await (await promise)('hello', 'Copied');
  return show.mock.calls;
};

test('M4 a text that is copied shows a notice', async () => {
  const writeText = vi.fn(async () => {});
  expect(await copyIn({ writeText })).toEqual([[{ title: 'Copied', tone: 'success' }]]);
  expect(writeText).toHaveBeenCalledWith('hello');
});

test.each([
  ['the browser forbids it', { writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')) }],
  ['a page without https has no clipboard', undefined],
])('M4 a text that could not be copied shows a notice: %s', async (_, clipboard) => {
  expect(await copyIn(clipboard)).toEqual([[{ title: "Couldn't copy. Try again.", tone: 'danger' }]]);
});
