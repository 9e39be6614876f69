import { expect, test } from 'vitest';
import { createFeatureList, type Feature } from './feature.ts';

const createFeature = (name: string, done: string[]): Feature<string> => {
  const job = (id: string) => ({
    start: () => {
      done.push(`start ${id}`);
      return async () => void done.push(`stop ${id}`);
    },
  });
  return {
    service: name,
    ensure: async () => void done.push(`ensure ${name}`),
    routes: () => void done.push(`routes of ${name}`),
    jobs: [job(`${name} 1`), job(`${name} 2`)],
    stop: () => void done.push(`end ${name}`),
  };
};

test('features are prepared and started in their order, and stopped in reverse', async () => {
  const done: string[] = [];
  const list = createFeatureList();
  expect(list.add(createFeature('users', done))).toBe('users');
  list.add({ service: undefined });
  list.add(createFeature('polls', done));

  await list.ensure();
  expect(done.splice(0)).toEqual(['ensure users', 'ensure polls']);
  list.addRoutes({ add: () => {}, addDirect: () => {} }, {} as never);
  expect(done.splice(0)).toEqual(['routes of users', 'routes of polls']);
  const stopJobs = list.startJobs();
  expect(done.splice(0)).toEqual(['start users 1', 'start users 2', 'start polls 1', 'start polls 2']);

  await stopJobs();
  expect(done.splice(0)).toEqual(['stop polls 2', 'stop polls 1', 'stop users 2', 'stop users 1']);
  await list.stop();
  expect(done).toEqual(['end polls', 'end users']);
});

test('jobs that started are stopped when a later one fails to start', async () => {
  const done: string[] = [];
  const list = createFeatureList();
  list.add(createFeature('users', done));
  list.add({
    service: undefined,
    jobs: [
      {
        start: () => {
          throw new Error('no start');
        },
      },
    ],
  });

  expect(() => list.startJobs()).toThrow('no start');
  await list.stop();

  expect(done.filter((line) => line.startsWith('stop'))).toEqual(['stop users 2', 'stop users 1']);
});

test('a feature that fails to stop does not keep the others from stopping', async () => {
  const done: string[] = [];
  const list = createFeatureList();
  list.add(createFeature('users', done));
  list.add({ service: undefined, stop: () => Promise.reject(new Error('stuck')) });

  await expect(list.stop()).rejects.toThrow('stuck');

  expect(done).toEqual(['end users']);
});
