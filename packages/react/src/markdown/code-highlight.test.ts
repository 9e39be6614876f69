import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastTime } from '../testing/least-time.ts';
import { loadHighlighter } from './code-highlight.ts';

/** A clock that does not move: on a busy machine the real one may run out on code of any length. */
const still = () => 0;

const highlight = async (code: string, language: string) => (await loadHighlighter(language, still))?.(code);

const draw = async (code: string, language: string): Promise<string> =>
  ((await highlight(code, language)) ?? [])
    .map(({ kind, text: piece }) => (kind ? `<${kind}>${piece}</>` : piece))
    .join('');

test.each([
  ['ts', 'const a = "b"; // c', '<keyword>const</> a = <string>"b"</>; <comment>// c</>'],
  ['js', 'f(1, `x`)', '<name>f</>(<number>1</>, <string>`x`</>)'],
  ['ts', '/* a\nb */ c', '<comment>/* a\nb */</> c'],
  ['tsx', 'new Map()', '<keyword>new</> <type>Map</>()'],
  ['json', '{"a": [1, true, "b"]}', '{<key>"a"</>: [<number>1</>, <number>true</>, <string>"b"</>]}'],
  ['py', 'def f(): # no\n  "x"', '<keyword>def</> <name>f</>(): <comment># no</>\n  <string>"x"</>'],
  ['sh', 'ls -la $HOME # all', '<name>ls</><keyword> -la</> <key>$HOME</> <comment># all</>'],
  ['SQL', "SELECT 'its' -- x", "<keyword>SELECT</> <string>'its'</> <comment>-- x</>"],
  ['go', 'func main() {}', '<keyword>func</> <name>main</>() {}'],
  ['rust', "let x: &'a str;", "<keyword>let</> x: &<type>'a</> str;"],
  ['kotlin', 'String s = 1;', '<type>String</> s = <number>1</>;'],
  [
    'html',
    '<a href="x>y">don\'t</a>',
    '<keyword><a</> <key>href</>=<string>"x>y"</><keyword>></>don\'t<keyword></a></>',
  ],
  ['html', '<script>let a</script>', '<keyword><script>let</> a<keyword></script></>'],
  ['css', 'a { color: #fff; }', '<keyword>a</> { <key>color</>: <number>#fff</>; }'],
  ['diff', '+a\n-b\n c != d', '<added>+a</>\n<removed>-b</>\n c != d'],
  ['yaml', 'a: 1 # x', '<key>a</>: <number>1</> <comment># x</>'],
])('%s: %j', async (language, text, expected) => {
  expect(await draw(text, language)).toBe(expected);
});

test('code in an unknown language stays plain', async () => {
  expect(await loadHighlighter('klingon')).toBeUndefined();
  expect(await loadHighlighter('constructor')).toBeUndefined();
});

const names =
  'ts js json py ruby sh docker sql go rust java c lua perl make md toml swift php html css diff yaml'.split(
    ' ',
  );

test.each(names)('whatever is written, the pieces are the text in %s', async (name) => {
  const highlighter = await loadHighlighter(name, still);
  const bits = fc.constantFrom(
    '"',
    "'",
    '`',
    '/*',
    '*/',
    '//',
    '#',
    '\\',
    '\n',
    '<!--',
    '<a',
    '=',
    '"""',
    '$',
    '{',
    'a',
    '1',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string()), { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      expect((highlighter?.(text) ?? []).map((token) => token.text).join('')).toBe(text);
    }),
    { numRuns: 100 },
  );
});

const hostile = [
  ...[
    '"',
    "'",
    '`',
    '/*',
    '"""',
    '\\',
    '\\"',
    '<!--',
    '<a b="',
    '<a b="\\',
    '  b',
    '<style>',
    'a',
    'A ',
    '1',
    '#',
  ],
  ...[
    '- ',
    '${',
    '$(',
    'a:',
    'a.',
    '.a',
    ' ',
    '\n',
    '\n- ',
    '[',
    '[a](',
    '**',
    '*a',
    '/',
    '@a',
    '|\n',
    '&',
    '--',
  ],
  ...['= ', 'a = (', '0x', '```\n', `${'a'.repeat(150)} `, `a${' '.repeat(150)}`],
];

test.each(names)('no code holds the page for long in %s', async (name) => {
  const highlighter = await loadHighlighter(name);
  for (const bit of hostile)
    for (const head of ['', '<a b="']) {
      const code = (head + bit.repeat(20_000)).slice(0, 20_000);
      expect(highlighter?.(code), 'beyond the bound').toBeUndefined();
      // The square of the length would be 36 million steps of a pattern; an exponential one would not end.
      expect(
        leastTime(() => highlighter?.(code.slice(0, 4000)), 250),
        `${head}${bit}`,
      ).toBeLessThan(250);
    }
});

test('code that somebody wrote is coloured up to the bound', async () => {
  const line = 'const total = items.map((item) => item.price * 2).join(", "); // sum\n';
  const code = line.repeat(Math.floor(4000 / line.length));
  expect(await highlight(code, 'ts')).toBeDefined();
  expect(await highlight(`${code}${line}${line}`, 'ts')).toBeUndefined();
});
