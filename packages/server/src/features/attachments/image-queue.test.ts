import { expect, test } from 'vitest';
import { ImageQueue } from './image-queue.ts';

const open = () => Promise.withResolvers<void>();
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('A1 one image of a person at a time; the next person does not wait for it', async () => {
  const queue = new ImageQueue({ atOnce: 2, waitingPerPerson: 5, waiting: 10 });
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
  await expect(hold('cy')).rejects.toMatchObject({ name: 'Unavailable' });
  expect(() => queue.check('cy')).toThrow();

  gate.resolve();
  await Promise.all(all);
  await hold('ana');
});

test('A1 a job that fails gives its place to the next', async () => {
  const queue = new ImageQueue({ atOnce: 1, waitingPerPerson: 2, waiting: 3 });

  await expect(queue.run('ana', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('ana', async () => 7)).toBe(7);
});
