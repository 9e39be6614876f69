import type { Check } from './outcome.ts';
import { importsOf } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const isRoutes = (path: string): boolean =>
  /^packages\/server\/src\/features\/.*(^|[/-])routes\.ts$/.test(path) && !isTestFile(path);

export const routeRuleProblems = (path: string, text: string): string[] =>
  importsOf(path, text)
    .filter(({ specifier }) => /\/(access|db|kernel)\//.test(specifier) || /[/-]store\.ts$/.test(specifier))
    .map(
      ({ specifier, line }) =>
        `${path}:${line} imports ${specifier}: routes parse and call the service, which checks and writes`,
    );

/** A rule in a route holds for one door only: jobs and other services call the service past it. */
export const routeRules: Check = {
  name: 'routes without rules',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter(isRoutes)
      .flatMap((path) => routeRuleProblems(path, readText(root, path))),
  }),
};
