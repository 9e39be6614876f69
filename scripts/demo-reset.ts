import { join } from 'node:path';
import { resetDemo } from './demo/reset.ts';
import { readEnvironment } from './start/environment.ts';

const root = join(import.meta.dirname, '..');

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
    () => true,
    () => false,
  );

try {
  const { database, serverUrl } = await resetDemo(readEnvironment(root, process.env));
  console.log(`The demo data in ${database} is gone; the key and the secret stay.`);
  console.log(
    (await answers(serverUrl))
      ? `A server is running at ${serverUrl}: stop it and run npm start, which makes fresh demo data.`
      : 'The next npm start makes fresh demo data.',
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
