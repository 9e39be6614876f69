import type { Plugin } from 'vite';

type ModuleInfo = { importedIds: readonly string[] };
type Graph = { getModuleInfo(id: string): ModuleInfo | null };

/** The groups of modules that load together, by the modules that begin them. The first group takes what several of them need. */
const together: readonly [name: string, roots: RegExp][] = [
  // Most who open the app are signed in, and nearly every conversation has a word in bold.
  ['index', /(web\/src\/(main|chat\/chat-screen)|react\/src\/markdown\/markdown-text)\.tsx$/],
  ['popups', /react\/src\/ui\/(tooltip-popup|menu-popup|popover-popup|dialog-popup|notice-host)\.tsx$/],
  [
    'late',
    /client\/src\/(late|connection\/move)\.ts$|react\/src\/features\/((channels|reminders|scheduled-messages)\/index|locations\/sharing-banner|drafts\/draft-carrier|composer\/(composer-assist|send-planned)|attachments\/composer-files)\.tsx?$/,
  ],
];

/** All that these modules need before they can run. */
const closureOf = (roots: readonly string[], graph: Graph): Set<string> => {
  const found = new Set(roots);
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
};

/**
 * Names the chunk of a module. Left alone, the bundler makes one for each set of parts that share a module: more than fifty files for
 * a conversation. What is needed only by a part that opens later stays a chunk of its own.
 */
export const createChunkNames = () => {
  const names = new Map<string, string>();
  const roots = new Map<string, string[]>();
  let isRead = false;
  const read = (graph: Graph): void => {
    isRead = true;
    const put = (ids: Iterable<string>, name: string) => {
      for (const id of ids) if (!names.has(id)) names.set(id, name);
    };
    for (const [name] of together) {
      const ids = closureOf(roots.get(name) ?? [], graph);
      const libraries = [...ids].filter((id) => id.includes('/node_modules/'));
      // The libraries take all that they need along: chunks that import each other run in the wrong order.
      if (name === 'index') put(closureOf(libraries, graph), 'vendor');
      put(ids, name);
    }
  };
  return {
    /** Remembers where the chunks begin, while the modules are found. */
    plugin: {
      name: 'chunk-roots',
      buildStart() {
        names.clear();
        roots.clear();
        isRead = false;
      },
      moduleParsed({ id }) {
        const name = together.find(([, pattern]) => pattern.test(id))?.[0];
        if (name !== undefined) roots.set(name, [...(roots.get(name) ?? []), id]);
      },
    } satisfies Plugin,
    nameOf: (id: string, graph: Graph): string | null => {
      if (!isRead) read(graph);
      return names.get(id) ?? null;
    },
  };
};
