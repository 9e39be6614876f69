import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { pollTexts } from './features/polls/texts.ts';
import { useTexts } from './i18n/text-context.tsx';
import { TextProvider, type Translations } from './texts.ts';

const polish: Translations = {
  polls: {
    poll: 'Ankieta',
    votes: { one: '{count} głos', few: '{count} głosy', many: '{count} głosów', other: '{count} głosu' },
  },
};

test('M13 a product replaces texts of features through one provider', () => {
  const Probe = () => {
    const text = useTexts(pollTexts);
    return [text('poll'), text('votes', { count: 3 }), text('votes', { count: 5 }), text('closed')].join();
  };

  const shown = (
    <TextProvider language="pl" texts={polish}>
      <Probe />
    </TextProvider>
  );

  expect(renderToStaticMarkup(shown)).toBe('Ankieta,3 głosy,5 głosów,Closed');
});

test('M13 a wrong key, a missing placeholder and missing values do not compile', () => {
  const wrong: Translations[] = [
    // @ts-expect-error -- no such feature
    { pols: {} },
    // @ts-expect-error -- no such text
    { polls: { pol: 'Ankieta' } },
    // @ts-expect-error -- {time} is missing
    { polls: { ends: 'Kończy się' } },
    // @ts-expect-error -- {count} is missing in the form that stands for all others
    { polls: { votes: { one: 'głos', other: 'głosy' } } },
    // @ts-expect-error -- a text without a count has no plural forms
    { polls: { poll: { one: 'Ankieta', other: 'Ankiety' } } },
  ];
  const Probe = () => {
    const text = useTexts(pollTexts);
    return [
      // @ts-expect-error -- no such key
      text('vote'),
      // @ts-expect-error -- {count} needs a value
      text('votes'),
      // @ts-expect-error -- {time} is not {when}
      text('ends', { when: 'now' }),
      // @ts-expect-error -- a count is a number
      text('votes', { count: '3' }),
    ].join();
  };

  expect(wrong).toHaveLength(5);
  expect(renderToStaticMarkup(<Probe />)).toContain('Ends {time}');
});
