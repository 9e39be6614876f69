import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startS3 } from '../integration/s3-server.ts';
import { composer, fresh, message, openConversation, signIn } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { inTray, pick, picture, send, textFile } from './uploads-support.ts';

const data = mkdtempSync(join(tmpdir(), 'parley-browser-s3-'));
let s3: Awaited<ReturnType<typeof startS3>>;
let product: Product;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  s3 = await startS3();
  const endpoint = s3.storage.kind === 's3' ? s3.storage.endpoint : '';
  // The files of this product are in a bucket.
  product = await startProduct(data, {
    STORAGE_URL: `s3://files/chat?endpoint=${endpoint}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    PARLEY_RATE_LIMITS: 'off',
  });
});
test.afterAll(async () => {
  await product?.stop();
  await s3?.stop();
  rmSync(data, { recursive: true, force: true });
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
