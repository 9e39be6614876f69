import type { Config } from '@parley/server';
import { startNats } from '@parley/testkit';
import { afterAll, test } from 'vitest';

export type BusCase = { name: string; bus: Config['bus'] };

/** The connections by which servers on the database notify each other; the last statement of each is one of these. */
export const listening = `from pg_stat_activity where datname = current_database()
  and query in ('listen parley_bus', 'select pg_notify(''parley_bus'', $1)')`;

/** The buses between servers, each a case of a test file: notifications of the database, and NATS where the machine has one. */
export const startBuses = async () => {
  const nats = await startNats();
  const isMissing = 'missing' in nats;
  afterAll(async () => {
    if (!isMissing) await nats.kill();
  });
  test('W4 there is a NATS for the tests', ({ skip }) => {
    if (isMissing) skip(nats.missing);
  });
  const cases: BusCase[] = [
    { name: 'notify', bus: undefined },
    ...(isMissing ? [] : [{ name: 'NATS', bus: nats.bus }]),
  ];
  return { cases, nats };
};
