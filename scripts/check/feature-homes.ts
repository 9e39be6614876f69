import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './outcome.ts';
import { foldersIn } from './source-files.ts';

/** The nouns of ARCHITECTURE.md: a feature has the same name in every layer. */
const nouns = new Set(
  `users roles channels members channel-preferences messages threads attachments link-previews mentions
  channel-types commands composer reactions polls reads drafts reminders scheduled-messages locations typing presence search moderation blocks devices
  notifications webhooks segments campaigns imports exports tasks apps`.split(/\s+/),
);

const strangers = (home: string, names: string[]): string[] =>
  names
    .filter((name) => !nouns.has(name))
    .map((name) => `${home}/${name} is not one of the nouns in scripts/check/feature-homes.ts`);

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
  return [...folders, ...withoutSchema];
};

export const featureHomes: Check = {
  name: 'feature homes',
  run: async (root) => ({ problems: featureHomeProblems(root) }),
};
