import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlightCode } from './code-highlight.ts';

const draw = (text: string, language: string): string =>
  (highlightCode(text, language) ?? [])
    .map(({ kind, text: piece }) => (kind ? `<${kind}>${piece}</>` : piece))
    .join('');

test.each([
  ['ts', 'const a = "b"; // c', '<keyword>const</> a = <string>"b"</>; <comment>// c</>'],
  ['js', 'f(1, `x \\` y`)', '<name>f</>(<number>1</>, <string>`x \\` y`</>)'],
  ['ts', '/* a\nb */ c', '<comment>/* a\nb */</> c'],
  ['tsx', 'new Map()', '<keyword>new</> <name>Map</>()'],
  ['json', '{"a": [1, true, "b"]}', '{<key>"a"</>: [<number>1</>, <keyword>true</>, <string>"b"</>]}'],
  [
    'py',
    'def f(): # no\n  """x\ny"""',
    '<keyword>def</> <name>f</>(): <comment># no</>\n  <string>"""x\ny"""</>',
  ],
  ['sh', 'ls -la $HOME # all', 'ls <key>-la</> <name>$HOME</> <comment># all</>'],
  ['SQL', "SELECT 'it''s' -- x", "<keyword>SELECT</> <string>'it''s'</> <comment>-- x</>"],
  ['go', 'func main() {}', '<keyword>func</> <name>main</>() {}'],
  ['rust', "let x: &'a str;", "<keyword>let</> x: &'a str;"],
  ['java', 'String s = null;', '<type>String</> s = <keyword>null</>;'],
  [
    'html',
    '<a href="x">don\'t</a>',
    '<keyword><a</> <key>href</>=<string>"x"</><keyword>></>don\'t<keyword></a></>',
  ],
  ['css', 'a { color: #fff; }', 'a { <key>color</>: <number>#fff</>; }'],
  ['diff', '+a\n-b\n c', '<added>+a</>\n<removed>-b</>\n c'],
  ['yaml', 'a: 1 # x', '<key>a</>: <number>1</> <comment># x</>'],
])('%s: %j', (language, text, expected) => {
  expect(draw(text, language)).toBe(expected);
});

test('a language that nobody knows is left alone', () => {
  expect(highlightCode('x', 'klingon')).toBeUndefined();
  expect(highlightCode('x', 'constructor')).toBeUndefined();
});

const names = 'ts json py ruby sh sql go rust java c swift php html css diff yaml'.split(' ');

test('whatever is written, the pieces are the text', () => {
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
    fc.property(
      fc.array(fc.oneof(bits, fc.string()), { maxLength: 40 }),
      fc.constantFrom(...names),
      (parts, name) => {
        const text = parts.join('');
        expect((highlightCode(text, name) ?? []).map((token) => token.text).join('')).toBe(text);
      },
    ),
    { numRuns: 1000 },
  );
});

const timeOf = (text: string, name: string): number => {
  const start = performance.now();
  highlightCode(text, name);
  return performance.now() - start;
};

/** How much longer four times the text takes. What else the machine does only ever adds, so the best of many turns counts. */
const growth = (text: string, name: string, enough: number): number => {
  const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
  const ratio = () => best.long / best.short;
  for (let turn = 0; turn < 3 || (turn < 60 && ratio() >= enough); turn += 1) {
    best.short = Math.min(best.short, timeOf(text, name));
    best.long = Math.min(best.long, timeOf(text.repeat(4), name));
  }
  return ratio();
};

test.each(names)('four times as long a text takes about four times as long in %s, whatever it is', (name) => {
  const bits = [
    '"',
    '/*',
    '"""',
    "'a",
    '\\',
    '<!--',
    '<a b="',
    'a',
    '1',
    '#',
    '-',
    '- ',
    '$ {',
    'a:',
    ' ',
    '\n- ',
  ];
  for (const bit of bits) {
    // Where the time grew with the square of the length this would be 16.
    expect(growth(bit.repeat(Math.ceil(1000 / bit.length)), name, 8), bit).toBeLessThan(8);
  }
});
