import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './outcome.ts';
import { binary, runTool } from './run-tool.ts';
import { foldersIn } from './source-files.ts';
import { typePrograms } from './type-programs.ts';

const projects = (root: string): string[] =>
  [
    ...foldersIn(join(root, 'packages')).map((name) => `packages/${name}`),
    ...foldersIn(join(root, 'apps')).map((name) => `apps/${name}`),
    'tests',
    'scripts',
  ].filter((folder) => existsSync(join(root, folder, 'tsconfig.json')));

/** Four checkers, as by default, each work out the same types of the protocol: 97 instead of 38 s of processor time for all programs. */
const oneChecker = ['--pretty', 'false', '--checkers', '1'];

/** The compiler ends before its memory matters: collecting garbage took 12 of 44 s of processor time. Above the limit it is collected all the same. */
const withoutCollecting = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

export const types: Check = {
  name: 'types',
  run: async (root) => {
    const folders = projects(root);
    const programs = typePrograms(root, folders);
    const problems: string[] = [];
    for (const { name, config } of programs) {
      const { code, output } = await runTool(
        root,
        binary(root, 'tsc'),
        ['-p', config, ...oneChecker],
        withoutCollecting,
      );
      if (code !== 0) problems.push(output || `${name}: tsc ended with ${code}`);
    }
    return { problems, note: `${folders.length} projects in ${programs.length} programs` };
  },
};

const tool = (name: string, command: string, args: string[]): Check => ({
  name,
  run: async (root) => {
    const { code, output } = await runTool(root, binary(root, command), args);
    return { problems: code === 0 ? [] : [output || `${command} ended with ${code}`] };
  },
});

export const lint = tool('lint and format', 'biome', ['check', '.', '--max-diagnostics=60']);
export const unused = tool('unused and undeclared', 'knip', ['--no-progress', '--no-config-hints']);
