import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typePrograms } from './type-programs.ts';

test('projects with the same options are one program, and no other gets their globals', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-types-'));
  const project = (folder: string, settings: object) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'tsconfig.json'), JSON.stringify(settings));
  };
  project('packages/a', {
    compilerOptions: { lib: ['dom'], jsx: 'x' },
    include: ['src'],
    exclude: ['src/b'],
  });
  project('packages/b', { compilerOptions: { jsx: 'x', lib: ['dom'] }, include: ['src'] });
  project('tests', { compilerOptions: { types: ['node'] }, include: ['.'] });

  const programs = typePrograms(root, ['packages/a', 'packages/b', 'tests']);

  expect(programs).toEqual([
    { name: 'packages/a, packages/b', config: join(root, '.cache/types/packages-a+packages-b.json') },
    { name: 'tests', config: join(root, 'tests') },
  ]);
  expect(JSON.parse(readFileSync(programs[0]?.config ?? '', 'utf8'))).toEqual({
    extends: '../../tsconfig.base.json',
    compilerOptions: { lib: ['dom'], jsx: 'x' },
    include: ['../../packages/a/src', '../../packages/b/src'],
    exclude: ['../../packages/a/src/b'],
  });
  rmSync(root, { recursive: true });
});
