import type { Check } from './outcome.ts';
import { type Node, syntaxTree, visit, withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

/** Types that are made of records: of replies, bodies and events, and the message as the client keeps it. */
const derivedTypes = ['ServerEvent', 'EventOf', 'LogEvent', 'ReplyOf', 'BodyOf', 'VisibleMessage'];

/** The places where text of the wire becomes a value: what it is follows from the call, which only they know. */
const entrances = new Set([
  'packages/client/src/connection/ws-transport.ts',
  'packages/client/src/features/attachments/upload-file.ts',
  'packages/client/src/http/http.ts',
  'packages/server/src/http/route.ts',
  'packages/testkit/src/caller.ts',
]);

/** The names that `record<Poll>('Poll', …)` gives to types. */
export const recordNames = (text: string): string[] =>
  [...text.matchAll(/\brecord<(\w+)>\(/g)].map(([, name = '']) => name);

/** The names of the types that a type is written with: `Record<string, User>` has `Record` and `User`. */
const namesIn = (type: Node): string[] => {
  const names: string[] = [];
  visit(type, (node) => {
    if (node.type === 'Identifier' && typeof node.name === 'string') names.push(node.name);
    // The arguments of a function are checked where it is called.
    return node.type !== 'TSFunctionType';
  });
  return names;
};

export const recordCastProblems = (path: string, text: string, records: ReadonlySet<string>): string[] => {
  const problems: string[] = [];
  visit(syntaxTree(path, text), (node) => {
    if (node.type !== 'TSAsExpression') return true;
    const found = namesIn(node.typeAnnotation as Node).find((name) => records.has(name));
    const line = text.slice(0, node.start).split('\n').length;
    if (found !== undefined)
      problems.push(
        `${path}:${line} casts to ${found}: let the schema of the protocol give the value its type`,
      );
    return true;
  });
  return problems;
};

/** How many casts of other kinds there may be, `as const` apart. Lower it when one is gone: a cast is right only for a value from
 * outside, such as parsed JSON, or for a rule that the compiler cannot express. */
const mostOthers = 43;

/** How many casts a file has, `as const` apart. */
export const countCasts = (path: string, text: string): number => {
  let count = 0;
  visit(syntaxTree(path, text), (node) => {
    if (node.type === 'TSAsExpression' && !namesIn(node.typeAnnotation as Node).includes('const')) count += 1;
    return true;
  });
  return count;
};

/** How many casts of tests may say nothing at all, `as unknown as` and `as never`. Lower it when one is gone: a function that takes
 * only what it uses (`Pick<…>`) needs no cast in its test, and `testing/records.ts` makes whole records. */
const mostBlind = 88;

const countBlindCasts = (path: string, text: string): number =>
  [...withoutComments(path, text).matchAll(/\bas (?:unknown as|never)\b/g)].length;

/** A cast to a record hides that a reply or an event is something else. */
export const recordCasts: Check = {
  name: 'record casts',
  run: async (root) => {
    const files = listFiles(root, ['.ts', '.tsx']).filter((path) =>
      /^(?:packages|apps)\/\w+\/src\//.test(path),
    );
    const protocol = files.filter((path) => path.startsWith('packages/protocol/'));
    const records = new Set([
      ...derivedTypes,
      ...protocol.flatMap((path) => recordNames(readText(root, path))),
    ]);
    const checked = files.filter(
      (path) => !isTestFile(path) && !path.includes('/testing/') && !entrances.has(path),
    );
    const problems = checked.flatMap((path) => recordCastProblems(path, readText(root, path), records));
    const count = checked.reduce((sum, path) => sum + countCasts(path, readText(root, path)), 0);
    if (count > mostOthers)
      problems.push(`${count} casts, and at most ${mostOthers} are allowed: let a type or a check say it`);
    const tests = listFiles(root, ['.ts', '.tsx']).filter(
      (path) => /^(?:packages|apps|tests)\//.test(path) && isTestFile(path),
    );
    const blind = tests.reduce((sum, path) => sum + countBlindCasts(path, readText(root, path)), 0);
    if (blind > mostBlind)
      problems.push(
        `${blind} casts in tests by unknown or never, and at most ${mostBlind} are allowed: let a type say it`,
      );
    return {
      problems,
      note: `${records.size} types, ${count} of ${mostOthers} other casts, ${blind} of ${mostBlind} in tests`,
    };
  },
};
