import fastify from 'fastify';
import { expect, test } from 'vitest';
import { logAnswer } from './request-log.ts';

/** The levels of the lines that these answers leave. */
const levelsOf = (...answers: { route: string; status: number; ms: number }[]): number[] => {
  const levels: number[] = [];
  const stream = { write: (line: string) => levels.push(JSON.parse(line).level) };
  const { log } = fastify({ logger: { level: 'debug', stream } });
  for (const answer of answers) logAnswer(log, { method: 'GET', request_id: 'a', ...answer });
  return levels;
};
const [debug, warning] = [20, 40];

test('W4 faults and slow calls are warnings; a probe of a server that is not ready, and a long-poll that waits, are none', () => {
  expect(
    levelsOf(
      { route: '/api/app', status: 500, ms: 1 },
      { route: '/api/app', status: 200, ms: 2000 },
      { route: '/readyz', status: 503, ms: 1 },
      { route: '/readyz', status: 503, ms: 2000 },
      { route: '/api/longpoll', status: 200, ms: 25_000 },
      { route: '/api/app', status: 404, ms: 1 },
    ),
  ).toEqual([warning, warning, debug, warning, debug, debug]);
});
