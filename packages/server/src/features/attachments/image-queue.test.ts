import { expect, test } from 'vitest';
import { ImageQueue } from './image-queue.ts';

const open = () => Promise.withResolvers<void>();
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('A1 one image of a person at a time; the next person does not wait for it', async () => {
  const queue = new ImageQueue({ atOnce: 2, waitingPerPerson: 5, waiting: 10 }, () => 0);
  const begun: string[] = [];
  const gates = new Map<string, ReturnType<typeof open>>();
  const job = (person: string, name: string) => {
    const gate = open();
    gates.set(name, gate);
    return queue.run(person, () => {
      begun.push(name);
      return gate.promise;
    });
  };
  const all = [job('mallory', 'm1'), job('mallory', 'm2'), job('mallory', 'm3'), job('ana', 'a1')];
  all.push(job('bo', 'b1'));
  await settled();
  expect(begun).toEqual(['m1', 'a1']);

  gates.get('a1')?.resolve();
  await settled();
  expect(begun).toEqual(['m1', 'a1', 'b1']);

  for (const gate of gates.values()) gate.resolve();
  await Promise.all(all);
  expect(begun).toEqual(['m1', 'a1', 'b1', 'm2', 'm3']);
});

test('A1 the line is bounded, for one person and for all', async () => {
  const queue = new ImageQueue({ atOnce: 1, waitingPerPerson: 2, waiting: 3 });
  const gate = open();
  const hold = (person: string) => queue.run(person, () => gate.promise);
  const all = [hold('ana'), hold('ana'), hold('ana')];

  await expect(hold('ana')).rejects.toMatchObject({ name: 'RateLimited' });
  all.push(hold('bo'));
  await expect(hold('bo')).rejects.toMatchObject({ name: 'Unavailable' });
  expect(() => queue.check('bo')).toThrow();

  gate.resolve();
  await Promise.all(all);
  await hold('ana');
});

test('A1 a job that fails gives its place to the next', async () => {
  const queue = new ImageQueue({ atOnce: 1, waitingPerPerson: 2, waiting: 3 });

  await expect(queue.run('ana', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('ana', async () => 7)).toBe(7);
});

test('A1 few people who fill the line do not keep others out: the newest of whoever has the most gives way', async () => {
  const queue = new ImageQueue({ atOnce: 1, waitingPerPerson: 2, waiting: 4 });
  const gate = open();
  const ended: string[] = [];
  const hold = (person: string, name: string) =>
    queue
      .run(person, () => gate.promise)
      .then(
        () => ended.push(`${name} made`),
        (error: { name: string }) => ended.push(`${name} ${error.name}`),
      );
  const all = [hold('mallory', 'm1'), hold('mallory', 'm2'), hold('mallory', 'm3')];
  all.push(hold('trudy', 't1'), hold('trudy', 't2'));

  all.push(hold('ana', 'a1'), hold('bo', 'b1'));
  await settled();
  expect(ended).toEqual(['m3 RateLimited', 't2 RateLimited']);
  // All who wait have one each: nobody has to give way any more.
  await hold('cy', 'c1');
  gate.resolve();
  await Promise.all(all);

  expect(ended.slice(2)).toEqual(['c1 Unavailable', 'm1 made', 't1 made', 'a1 made', 'b1 made', 'm2 made']);
});

test('A1 next comes whoever has used the least time, not who asks most', async () => {
  let now = 0;
  const queue = new ImageQueue({ atOnce: 1, waitingPerPerson: 5, waiting: 10 }, () => now);
  const made: string[] = [];
  const job = (person: string, ms: number) =>
    queue.run(person, async () => {
      made.push(person);
      now += ms;
    });

  const all = ['mallory', 'trudy', 'mallory', 'trudy'].map((person) => job(person, 20_000));
  await all[0];
  for (let n = 0; n < 3; n++) all.push(job('ana', 100));
  await Promise.all(all);

  expect(made).toEqual(['mallory', 'trudy', 'ana', 'ana', 'ana', 'mallory', 'trudy']);
});
