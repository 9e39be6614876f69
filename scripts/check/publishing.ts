import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const server = 'packages/server/src/';

/** The features that publish outside `kernel.write`, by the function that they do it with. Add one only with a reason: an event
 * that is published outside a transaction may be published without what it is about, or the other way round. */
const features: Record<string, readonly string[]> = {
  // Their commits are shared, and store the events that are published after them.
  publishStored: ['locations', 'messages'],
  // Nothing stores these events: who types, who is online, how many have read.
  publishTransient: ['presence', 'reads', 'typing'],
  // Ephemeral messages, own votes that a shared commit stored, totals that are counted after the commit.
  notify: ['messages', 'polls', 'reads'],
};

/** Calls of the kernel, and its functions taken out of it: those would not be found by their name. */
const outside =
  /\bkernel\s*\.(publishStored|publishTransient|notify)\b|\{[^{}]*\b(publishStored|publishTransient|notify)\b[^{}]*\} = (?:\w+\.)*kernel\b/g;

/** The folders that call the bus itself: the kernel, and the search for commits whose answer was lost. */
const publishers = [`${server}kernel/`, `${server}events/`];

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

export const publishingProblems = (path: string, text: string): string[] => {
  const code = withoutComments(path, text);
  const feature = /\/features\/([^/]+)\//.exec(path)?.[1];
  const direct = publishers.some((folder) => path.startsWith(folder))
    ? []
    : [...code.matchAll(/\bbus\s*\.publish\b/g)].map(
        ({ index }) =>
          `${path}:${lineAt(code, index)} calls the bus: publish by tx.event, tx.notify or a function of the kernel`,
      );
  const unlisted = [...code.matchAll(outside)]
    .map(({ 1: called, 2: taken, index }) => ({ name: called ?? taken ?? '', line: lineAt(code, index) }))
    .filter(({ name }) => feature === undefined || !features[name]?.includes(feature))
    .map(
      ({ name, line }) =>
        `${path}:${line} calls kernel.${name} and is not listed in scripts/check/publishing.ts`,
    );
  return [...direct, ...unlisted];
};

/** Events are published by the kernel: after the commit of `kernel.write`, or by the features listed above. */
export const publishing: Check = {
  name: 'publishing',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter((path) => path.startsWith(server) && !isTestFile(path))
      .flatMap((path) => publishingProblems(path, readText(root, path))),
  }),
};
