import { expect, test } from 'vitest';
import { colourProblems } from './own-colours.ts';

const home = 'packages/react/src/';

test('W1 a colour outside of the tokens is found, apart from the listed sheets', () => {
  const sheet = [
    '/* #fff */',
    '.a { color: var(--pl-text); }',
    '.b { color: #fff; }',
    '.c { background: light-dark(rgb(0 0 0 / 0.5), black); }',
    '.d { color: color-mix(in oklab, var(--pl-text) 50%, transparent); }',
  ].join('\n');
  const lines = (path: string) => colourProblems(path, sheet).map((problem) => problem.split(' ')[0]);

  expect(lines(`${home}ui/button.module.css`)).toEqual([
    `${home}ui/button.module.css:3`,
    `${home}ui/button.module.css:4`,
  ]);
  expect(lines(`${home}theme/tokens.css`)).toEqual([]);
});
