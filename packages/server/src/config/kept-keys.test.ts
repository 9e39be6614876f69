import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const servers = 3;
const rounds = 25;

/** Starts as all others do, at the same moment, with a new folder each time. */
const starts = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { module, folder, gate, servers, rounds } = workerData;
  import(module).then(({ readConfig }) => {
    const results = [];
    for (let round = 1; round <= rounds; round += 1) {
      Atomics.add(gate, 0, 1);
      Atomics.notify(gate, 0);
      for (let come; (come = Atomics.load(gate, 0)) < round * servers;) Atomics.wait(gate, 0, come);
      try {
        const { apiKey, apiSecret, secretIsNew } = readConfig({ PARLEY_DATA: folder + '/' + round });
        results.push({ keys: apiKey + ' ' + apiSecret, secretIsNew });
      } catch (error) {
        results.push({ keys: String(error), secretIsNew: false });
      }
    }
    parentPort.postMessage(results);
  });
`;
type Result = { keys: string; secretIsNew: boolean };

test('W1 servers that start at once with one new data folder have one key, which one of them made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-keys-'));
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const module = new URL('./config.ts', import.meta.url).href;
  const workers = Array.from(
    { length: servers },
    () => new Worker(starts, { eval: true, workerData: { module, folder, gate, servers, rounds } }),
  );
  const results = await Promise.all(
    workers.map(
      (worker) =>
        new Promise<Result[]>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );

  for (let round = 0; round < rounds; round += 1) {
    const ofRound = results.map((all) => all[round]);
    expect(new Set(ofRound.map((result) => result?.keys))).toHaveLength(1);
    expect(ofRound[0]?.keys).toMatch(/^pk_\S+ \S{32,}$/);
    expect(ofRound.filter((result) => result?.secretIsNew)).toHaveLength(1);
    expect(readdirSync(join(folder, `${round + 1}`))).toEqual(['keys.json']);
  }
  rmSync(folder, { recursive: true });
});
