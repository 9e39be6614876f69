import type { Check } from './outcome.ts';
import { importsOf } from './scan.ts';
import { foldersIn, isTestFile, listFiles, readText, readTextIfAny } from './source-files.ts';

const features = 'packages/server/src/features';
const all = `${features}/all.ts`;
const wiringOf = (noun: string): string => `${features}/${noun}/feature.ts`;

const createNameOf = (noun: string): string =>
  `create${noun
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')}`;

/** The values that a file exports; types are free. */
const exportedValues = (text: string): string[] =>
  [...text.matchAll(/^export (?!type |interface )(?:(?:const|function|class) (\w+)|(.*))/gm)].map(
    ([, name, rest]) => name ?? rest ?? '',
  );

const createProblem = (noun: string, text: string | undefined): string | undefined => {
  const path = wiringOf(noun);
  const name = createNameOf(noun);
  if (text === undefined) return `${path} is missing: it exports ${name}, which wires the feature`;
  const values = exportedValues(text);
  return values.length === 1 && values[0] === name
    ? undefined
    : `${path} exports ${values.join(', ') || 'nothing'}: it must export ${name} alone`;
};

/** `all.ts` takes `feature.ts` of each feature, and nobody else does. */
const importProblems = (path: string, text: string): string[] =>
  importsOf(path, text).flatMap(({ specifier, line }) => {
    const isWiring = specifier.endsWith('/feature.ts') && !specifier.endsWith('/wiring/feature.ts');
    if (path === all)
      return isWiring || !specifier.startsWith('./')
        ? []
        : [`${path}:${line} imports ${specifier}: only the feature.ts of a feature`];
    return isWiring ? [`${path}:${line} imports ${specifier}: only features/all.ts wires features`] : [];
  });

/** Hooks are answered where a feature is wired, so that their order is the order of the features. */
const hookProblems = (path: string, text: string): string[] =>
  path === all || path.endsWith('/feature.ts')
    ? []
    : text
        .split('\n')
        .flatMap((line, index) =>
          /\bhooks\.\w+\.(add|set)\(/.test(line)
            ? [`${path}:${index + 1} answers a hook: that is for the feature.ts of the feature`]
            : [],
        );

/** A feature that assigns to another one changes it unseen: it answers a hook instead. */
const assignmentProblems = (path: string, text: string): string[] =>
  path === all || path.endsWith('/feature.ts')
    ? [...text.matchAll(/^\s*\w+(?:\.\w+)+ = /gm)].map(({ 0: found, index }) => {
        const line = text.slice(0, index + found.search(/\w/)).split('\n').length;
        return `${path}:${line} assigns to a property: answer a hook of that feature`;
      })
    : [];

export const featureWiringProblems = (root: string): string[] => {
  const files = listFiles(root, ['.ts']).filter(
    (path) => path.startsWith('packages/server/src/') && !isTestFile(path),
  );
  return [
    ...foldersIn(`${root}/${features}`).flatMap(
      (noun) => createProblem(noun, readTextIfAny(root, wiringOf(noun))) ?? [],
    ),
    ...files.flatMap((path) => {
      const text = readText(root, path);
      return [...importProblems(path, text), ...hookProblems(path, text), ...assignmentProblems(path, text)];
    }),
  ];
};

export const featureWiring: Check = {
  name: 'feature wiring',
  run: async (root) => ({ problems: featureWiringProblems(root) }),
};
