import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './outcome.ts';
import { foldersIn, readTextIfAny } from './source-files.ts';

/** The names of the features, built and planned: a feature has the same one in every layer. */
const nouns = new Set(
  `users roles channels members channel-preferences messages threads attachments link-previews mentions
  channel-types commands composer reactions polls reads drafts reminders scheduled-messages locations typing presence search moderation blocks devices
  notifications webhooks segments campaigns imports exports tasks apps`.split(/\s+/),
);

const strangers = (home: string, names: string[]): string[] =>
  names
    .filter((name) => !nouns.has(name))
    .map((name) => `${home}/${name} is not one of the nouns in scripts/check/feature-homes.ts`);

/** The entry of a feature has the name of the feature; an entry of anything else has another name. */
const entryProblems = (root: string, layer: string): string[] => {
  const path = `packages/${layer}/package.json`;
  const { exports = {} }: { exports?: Record<string, string> } = JSON.parse(
    readTextIfAny(root, path) ?? '{}',
  );
  const isNamed = ([entry, target]: [string, string]): boolean => {
    const noun = /^\.\/src\/features\/([^/]+)/.exec(target)?.[1];
    if (noun === undefined) return !nouns.has(entry.slice(2));
    return entry === `./${noun}` && target === `./src/features/${noun}/index.ts`;
  };
  return Object.entries(exports)
    .filter((pair) => !isNamed(pair))
    .map(
      ([entry, target]) =>
        `${path} exports ${target} as ${entry}: an entry is the index.ts of the feature of its name`,
    );
};

/** The `index.ts` of a feature of the client gathers what products import: it declares the feature itself, and re-exports the rest from
 * the file of its role, such as `selectors.ts`. */
const roleProblems = (root: string): string[] => {
  const home = 'packages/client/src/features';
  return foldersIn(join(root, home)).flatMap((noun) => {
    const path = `${home}/${noun}/index.ts`;
    return [...(readTextIfAny(root, path) ?? '').matchAll(/^export (?:const|function) (\w+)(.*)/gm)]
      .filter(([, , rest = '']) => !/\bFeature</.test(rest))
      .map(([, name]) => `${path} declares ${name}: move it to the file of its role, as selectors.ts`);
  });
};

export const featureHomeProblems = (root: string): string[] => {
  const folders = ['server', 'client', 'react'].flatMap((layer) => {
    const home = `packages/${layer}/src/features`;
    return strangers(home, foldersIn(join(root, home)));
  });
  const protocol = 'packages/protocol/src/features';
  const server = 'packages/server/src/features';
  const withoutSchema = foldersIn(join(root, server))
    .filter(
      (noun) =>
        existsSync(join(root, server, noun, 'routes.ts')) && !existsSync(join(root, protocol, `${noun}.ts`)),
    )
    .map((noun) => `${server}/${noun}/routes.ts has no ${protocol}/${noun}.ts`);
  const entries = ['client', 'react'].flatMap((layer) => entryProblems(root, layer));
  return [...folders, ...withoutSchema, ...entries, ...roleProblems(root)];
};

export const featureHomes: Check = {
  name: 'feature homes',
  run: async (root) => ({ problems: featureHomeProblems(root) }),
};
