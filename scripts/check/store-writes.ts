import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const home = 'packages/client/src/';

/** The modules that may write a part of the client's state, beside `sync/`, which holds it. */
const writers: { what: RegExp; files: string[] }[] = [
  // Pages that are loaded, and parts of messages that events leave out.
  {
    what: /\bstore\.update\b/g,
    files: ['pages', 'jump', 'replies', 'reply-pages', 'left-out-calls'].map(
      (name) => `features/messages/${name}.ts`,
    ),
  },
  // Channels that are no longer live, or gone.
  {
    what: /\bstore\.(?:setStale|remove)\b/g,
    files: ['actions', 'changes', 'load'].map((name) => `features/channels/${name}.ts`),
  },
  // Pending operations that outlive a call; those of one call use `during`.
  {
    what: /\bstore\.(?:putOp|removeOp)\b/g,
    files: ['actions', 'private-messages'].map((name) => `features/messages/${name}.ts`),
  },
  // The own user, as replies and events describe it.
  {
    what: /\bme\.set\b/g,
    files: [
      'client.ts',
      'features/channels/kept-screen.ts',
      'features/channels/mutes.ts',
      'features/reads/actions.ts',
      'features/users/actions.ts',
      'features/users/calls.ts',
    ],
  },
  // Confirmed state as a whole, and the place in the log.
  { what: /\bstore\.(?:set|clear)\b|\bslot\.\w+ = /g, files: [] },
  // A function taken out of the store would not be found by its name.
  {
    what: /\{[^{}]*\b(?:update|set|setStale|remove|putOp|removeOp|clear)\b[^{}]*\} = (?:\w+\.)?store\b/g,
    files: [],
  },
];

export const storeWriteProblems = (path: string, text: string): string[] => {
  const file = path.slice(home.length);
  if (!path.startsWith(home) || file.startsWith('sync/')) return [];
  const code = withoutComments(path, text);
  return writers
    .filter(({ files }) => !files.includes(file))
    .flatMap(({ what }) =>
      [...code.matchAll(what)].map(({ 0: found, index }) => {
        const line = code.slice(0, index).split('\n').length;
        return `${path}:${line} writes state (${found.trim()}): go through core.confirm or an overlay`;
      }),
    );
};

/** Holds the sentence of ARCHITECTURE.md about who writes the state of the client. */
export const storeWrites: Check = {
  name: 'store writes',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter((path) => path.startsWith(home) && !isTestFile(path))
      .flatMap((path) => storeWriteProblems(path, readText(root, path))),
  }),
};
