import type { LaneResult } from './jobs.ts';

/** One line of the table. `ok` is undefined where the line carries no target. */
export type Row = {
  name: string;
  parley: string;
  limit: string;
  ratio: string;
  target: string;
  ok: boolean | undefined;
  latency: string;
};

export const whole = (value: number): string =>
  Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
export const decimal = (value: number, digits = 2): string => value.toFixed(digits);

export const latencyOf = (result: LaneResult | undefined): string =>
  result === undefined ? '' : `${decimal(result.p50, 1)} / ${decimal(result.p99, 1)}`;

/** The reasons that make a figure void; empty where there are none. */
export const blemishesOf = (name: string, result: LaneResult | undefined): string[] => {
  if (result === undefined) return [];
  const found = [
    [result.errors, 'errors'],
    [result.missing, 'deliveries missing'],
    [result.closed, 'connections closed by the server'],
  ] as const;
  return found.filter(([count]) => count > 0).map(([count, what]) => `${name}: ${count} ${what}`);
};

/** The limit's own rounds show whether something else used the machine; a ratio of such a run is a rough one. */
export const unrestOf = (name: string, limit: LaneResult): string[] => {
  const [least, most] = [Math.min(...limit.rounds), Math.max(...limit.rounds)];
  if (most <= 1.3 * least) return [];
  return [
    `${name}: the machine was not calm, the rounds of the limit lie between ${whole(least)} and ${whole(most)}`,
  ];
};

const verdict = (row: Row): string => (row.ok === undefined ? '' : row.ok ? 'ok' : 'MISS');

export const table = (rows: Row[]): string => {
  const head = ['measurement', 'Parley', 'limit in this run', 'ratio', 'target', '', 'p50 / p99 ms'];
  const cells = rows.map((row) => [
    row.name,
    row.parley,
    row.limit,
    row.ratio,
    row.target,
    verdict(row),
    row.latency,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const isNumber = (column: number) => column >= 1 && column <= 3;
  const lineOf = (line: string[]) =>
    line
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [lineOf(head), rule, ...cells.map(lineOf)].join('\n');
};
