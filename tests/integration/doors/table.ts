import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../docs/doors.md');

export type Row = { head: string[]; cells: string[] };

const lineOf = (cells: string[]): string => `| ${cells.join(' | ')} |`;

const sectionOf = (name: string): RegExp =>
  new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(\\n<!-- end of ${name} -->)`);

/** The table of this name as it stands in docs/doors.md, a line a row, without its head. */
export const readTable = (name: string): string[] => {
  const [, , lines = ''] = sectionOf(name).exec(readFileSync(file, 'utf8')) ?? [];
  return lines.split('\n').slice(2);
};

export const linesOf = (rows: Row[]): string[] => rows.map(({ head, cells }) => lineOf([...head, ...cells]));

/** `PARLEY_WRITE_DOORS=1` writes what was found; read the difference before you commit it. */
export const writeTable = (name: string, titles: string[], rows: Row[]): void => {
  const text = readFileSync(file, 'utf8');
  const table = [lineOf(titles), lineOf(titles.map(() => '---')), ...linesOf(rows)].join('\n');
  writeFileSync(
    file,
    text.replace(sectionOf(name), (_, start: string, __, end: string) => `${start}${table}${end}`),
  );
};

export const isWriting = process.env.PARLEY_WRITE_DOORS === '1';
