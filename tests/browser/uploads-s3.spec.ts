import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startS3 } from '../integration/s3-server.ts';
import { composer, fresh, message, openConversation, signIn } from './people.ts';
import { inTray, pick, picture, send, textFile } from './uploads-support.ts';

const root = join(import.meta.dirname, '..', '..');
const data = mkdtempSync(join(tmpdir(), 'parley-browser-s3-'));
let s3: Awaited<ReturnType<typeof startS3>>;
let product: Awaited<ReturnType<typeof startProduct>>;

/** The product with its files in a bucket, beside the one of the other journeys. */
const startProduct = (bucket: string) =>
  new Promise<{ url: string; stop: () => void }>((resolve, reject) => {
    const env = {
      ...process.env,
      ...{ PORT: '0', PARLEY_DATA: data, PARLEY_DEMO: 'on', LOG_LEVEL: 'warn', PARLEY_RATE_LIMITS: 'off' },
      ...{ STORAGE_URL: bucket, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    };
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], { cwd: root, env });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /listening on (\S+)/.exec(said)?.[1];
      if (url) resolve({ url, stop: () => child.kill('SIGTERM') });
    });
    child.on('exit', () => reject(new Error(`The product did not start:\n${said}`)));
  });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  s3 = await startS3();
  const endpoint = s3.storage.kind === 's3' ? s3.storage.endpoint : '';
  product = await startProduct(`s3://files/chat?endpoint=${endpoint}`);
});
test.afterAll(async () => {
  product?.stop();
  await s3?.stop();
  rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

test('A1 files go to the bucket and are read from there', async ({ browser }) => {
  const at = { baseURL: product.url };
  const [ana, bo] = [await signIn(browser, /Ana Ribeiro/, at), await signIn(browser, /Bo Lindqvist/, at)];
  const words = fresh('From the bucket');
  await openConversation(ana.page, 'Bo Lindqvist');
  await openConversation(bo.page, 'Ana Ribeiro');
  const names = ['harbour.png', 'notes.txt'];
  await pick(ana.page, [await picture('harbour.png'), textFile('notes.txt')]);
  for (const name of names) await expect(inTray(ana.page, name)).toHaveAttribute('data-state', 'finished');
  await composer(ana.page).fill(words);
  await expect(ana.page.getByRole('link', { name: /Drafts 1/ })).toBeVisible();
  await ana.page.reload();
  const image = inTray(ana.page, 'harbour.png').locator('img');
  await expect(image).toHaveAttribute('src', /signature=/);
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const sent = await send(ana.page);

  expect(sent.attachments.map(({ title }) => title)).toEqual(names);
  await expect(message(bo.page, words)).toBeVisible();
  const stored = await readdir(s3.directory, { recursive: true });
  expect(stored.filter((name) => name.endsWith('_object')).length).toBeGreaterThanOrEqual(3);
  await ana.context.close();
  await bo.context.close();
});
