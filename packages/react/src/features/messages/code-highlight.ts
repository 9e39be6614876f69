/** Colours for code: words, not grammar. Every pattern goes forward only, so no text can make it slow. */
type CodeKind = 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'type' | 'key' | 'added' | 'removed';
type CodeToken = { kind: CodeKind | undefined; text: string };

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const number = String.raw`(?<number>\b(?:0[xX][\da-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)n?\w*)`;
const word = String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$]*!?)`;
const slashComments = String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))`;
const hashComment = String.raw`(?<comment>(?<![^\s;])#[^\n]*)`;
const quoted = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`;
const backticked = '`(?:[^`\\\\]|\\\\[\\s\\S])*`?';

type Language = { pattern: RegExp; keywords?: ReadonlySet<string>; anyCase?: boolean };

const language = (parts: readonly string[], keywords = '', anyCase = false): Language => ({
  pattern: new RegExp(parts.join('|'), 'gmu'),
  keywords: words(keywords),
  anyCase,
});

const curly = (keywords: string, strings = quoted): Language =>
  language([slashComments, `(?<string>${strings})`, number, word], keywords);

const flow =
  'if else for while do break continue return switch case default try catch finally throw true false null';
const classes =
  'class interface enum extends implements new this super static final abstract public private protected';

const script = `${flow} ${classes} async await const let var function import export from as of in instanceof typeof
  void delete yield undefined type declare namespace readonly keyof infer satisfies is get set`;
const javaLike = `${flow} ${classes} void int long short byte char float double boolean var package import throws
  synchronized volatile transient instanceof record sealed val fun when object override data lateinit internal
  using namespace string bool async await foreach in out ref get set partial where is as`;
const cLike = `${flow} ${classes} void int long short char float double bool unsigned signed struct union typedef
  sizeof const constexpr auto template typename namespace using virtual override inline extern operator nullptr
  include define ifdef ifndef endif pragma`;
const go = `break case chan const continue default defer else fallthrough for func go goto if import interface map
  package range return select struct switch type var nil true false make new len append string int bool error byte`;
const rust = `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
  move mut pub ref return self Self static struct super trait true type unsafe use where while`;
const swift = `${flow} class struct enum protocol extension func let var guard in is as nil self super init deinit import
  public private internal fileprivate open static override mutating async await throws defer where some any`;
const php = `${flow} ${classes} function echo print use namespace array fn foreach as require include global isset unset`;
const python = `and as assert async await break class continue def del elif else except False finally for from global if
  import in is lambda None nonlocal not or pass raise return True try while with yield match case self`;
const ruby = `alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo
  rescue retry return self super then true undef unless until when while yield require attr_accessor puts`;
const shell = `if then else elif fi for while until do done case esac in function return exit export local readonly set unset
  echo cd source alias sudo trap eval exec`;
const sql = `select insert update delete from where join left right inner outer full cross on and or not null is in like
  between exists group by order having limit offset values into set create table alter drop add column primary key foreign
  references unique index default constraint as distinct union all case when then else end with returning begin commit
  rollback true false asc desc if cascade view`;

const languages: Readonly<Record<string, Language>> = {
  script: curly(script, `${quoted}|${backticked}`),
  java: curly(javaLike),
  c: curly(cLike),
  go: curly(go, `${quoted}|${backticked}`),
  rust: curly(rust, String.raw`"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\\n]|\\.)'`),
  swift: curly(swift),
  php: curly(php),
  python: language(
    [
      hashComment,
      `(?<string>"""[\\s\\S]*?(?:"""|$(?![\\s\\S]))|'''[\\s\\S]*?(?:'''|$(?![\\s\\S]))|${quoted})`,
      number,
      word,
    ],
    python,
  ),
  ruby: language([hashComment, `(?<string>${quoted}|(?<!\\w):\\w+)`, number, word], ruby),
  shell: language(
    [
      hashComment,
      `(?<string>${quoted})`,
      String.raw`(?<name>\$\w+|\$\{[^}\n]*\}?)`,
      String.raw`(?<key>(?<=\s)--?[\w-]+)`,
      number,
      word,
    ],
    shell,
  ),
  sql: language(
    [
      String.raw`(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))`,
      `(?<string>'(?:[^']|'')*'?)`,
      number,
      word,
    ],
    sql,
    true,
  ),
  json: language(
    [
      String.raw`(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))`,
      String.raw`(?<string>"(?:[^"\\\n]|\\.)*"?)`,
      number,
      word,
    ],
    'true false null',
  ),
  yaml: language(
    [
      hashComment,
      String.raw`(?<key>^[ \t]*(?:-[ \t]+)*[\w.\/-]{1,64}(?=:(?:\s|$)))`,
      `(?<string>${quoted})`,
      number,
      word,
    ],
    'true false null yes no on off',
  ),
  css: language([
    String.raw`(?<comment>\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))`,
    `(?<string>${quoted})`,
    String.raw`(?<keyword>@[\w-]+|!important)`,
    String.raw`(?<number>#[\da-fA-F]{3,8}\b|-?\b\d+(?:\.\d+)?(?:%|[a-z]+)?)`,
    String.raw`(?<key>(?<![\w-])(?:--[\w-]+|[a-z-]{1,64}(?=\s*:\s)))`,
    String.raw`(?<name>(?<![\w-])[\w-]{1,64}(?=\())`,
  ]),
  html: language([
    String.raw`(?<comment><!--[\s\S]*?(?:-->|$(?![\s\S])))`,
    String.raw`(?<keyword><\/?[a-zA-Z!][\w:-]*|\/?>)`,
    String.raw`(?<key>(?<![\w:@.-])[\w:@.-]{1,64}(?==["']))`,
    `(?<string>(?<==)"[^"]*"?|(?<==)'[^']*'?)`,
  ]),
  diff: language([
    String.raw`(?<added>^\+[^\n]*)`,
    String.raw`(?<removed>^-[^\n]*)`,
    String.raw`(?<keyword>^@@[^\n]*)`,
  ]),
};

const aliases: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(languages).map((name) => [name, name])),
  ...{ js: 'script', jsx: 'script', ts: 'script', tsx: 'script', mjs: 'script', cjs: 'script' },
  ...{ javascript: 'script', typescript: 'script', json5: 'json', jsonc: 'json' },
  ...{ kotlin: 'java', kt: 'java', csharp: 'java', cs: 'java', 'c#': 'java', scala: 'java', dart: 'java' },
  ...{ cpp: 'c', 'c++': 'c', cc: 'c', h: 'c', hpp: 'c', objc: 'c' },
  ...{ golang: 'go', rs: 'rust', py: 'python', python3: 'python', rb: 'ruby' },
  ...{
    sh: 'shell',
    bash: 'shell',
    zsh: 'shell',
    console: 'shell',
    dockerfile: 'shell',
    toml: 'yaml',
    yml: 'yaml',
  },
  ...{ postgres: 'sql', postgresql: 'sql', mysql: 'sql', sqlite: 'sql', plsql: 'sql' },
  ...{ xml: 'html', svg: 'html', vue: 'html', svelte: 'html', scss: 'css', less: 'css', patch: 'diff' },
};

const kindOf = (
  found: RegExpExecArray,
  text: string,
  { keywords, anyCase }: Language,
): CodeKind | undefined => {
  const [group] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
  if (group !== 'word') return group as CodeKind | undefined;
  const said = found[0];
  if (keywords?.has(anyCase ? said.toLowerCase() : said)) return 'keyword';
  if (text[found.index + said.length] === '(') return 'name';
  return /^\p{Lu}.*\p{Ll}/u.test(said) ? 'type' : undefined;
};

/** The text in pieces that together are the text; undefined for a language that is not known. */
export const highlightCode = (text: string, name: string): readonly CodeToken[] | undefined => {
  const known = languages[aliases[name.toLowerCase()] ?? ''];
  if (!known) return undefined;
  const tokens: CodeToken[] = [];
  const push = (kind: CodeKind | undefined, piece: string) => {
    const last = tokens.at(-1);
    if (last && last.kind === kind) last.text += piece;
    else if (piece !== '') tokens.push({ kind, text: piece });
  };
  let at = 0;
  for (const found of text.matchAll(known.pattern)) {
    push(undefined, text.slice(at, found.index));
    push(kindOf(found, text, known), found[0]);
    at = found.index + found[0].length;
  }
  push(undefined, text.slice(at));
  return tokens;
};
