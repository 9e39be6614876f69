import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { searchEnglish } from '../features/search/english.ts';
import { AnyTextProvider, usePartTexts } from './text-context.tsx';

const Probe = () => {
  const texts = usePartTexts('search', searchEnglish, { more: 'Noch mehr' });
  return `${texts.search}/${texts.more}/${texts.people}`;
};

test('M13 the words of a part that is loaded late are translated with the others', () => {
  const parts = { search: { search: 'Suchen', more: 'Mehr' } };

  const shown = (
    <AnyTextProvider texts={parts}>
      <Probe />
    </AnyTextProvider>
  );

  expect(renderToString(shown)).toBe('Suchen/Noch mehr/People');
});
