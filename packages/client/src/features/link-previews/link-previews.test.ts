import { expect, test, vi } from 'vitest';
import type { FeatureCore, ParleyClient } from '../../client.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { findLinks, linkPreviews } from './index.ts';

const open = () => {
  const clock = createHandClock();
  const asked: { url: string; signal: AbortSignal; answer(title: string): void; fail(): void }[] = [];
  const client = { http: { wire: { environment: { clock } } } } as unknown as ParleyClient;
  const previews = linkPreviews.create({ client, resets: [] } as unknown as FeatureCore).create({
    load: (url, signal) =>
      new Promise((resolve, reject) => {
        const answer = (title: string) =>
          resolve({ type: 'article', og_scrape_url: url, title_link: url, title });
        asked.push({ url, signal, answer, fail: () => reject(new Error('no')) });
      }),
  });
  const states = () => previews.get().items.map(({ url, state }) => `${new URL(url).hostname} ${state}`);
  return { clock, asked, previews, states };
};

test('A4 a link is looked up 1500 ms after the last key: pending, loading, loaded', async () => {
  const { clock, asked, previews, states } = open();
  previews.type('see https://a.example/x');
  clock.advance(1499);
  previews.type('see https://a.example/x now');
  clock.advance(1499);
  expect([states(), asked.length]).toEqual([['a.example pending'], 0]);
  clock.advance(1);
  expect([states(), asked.length]).toEqual([['a.example loading'], 1]);
  asked[0]?.answer('A');

  await vi.waitFor(() => expect(states()).toEqual(['a.example loaded']));
  expect(previews.attachments()).toMatchObject([{ title: 'A', og_scrape_url: 'https://a.example/x' }]);
});

test('A4 a page without a preview is failed and sends nothing along', async () => {
  const { clock, asked, previews, states } = open();
  previews.type('https://a.example');
  clock.advance(1500);
  asked[0]?.fail();

  await vi.waitFor(() => expect(states()).toEqual(['a.example failed']));
  expect(previews.attachments()).toEqual([]);
});

test('A4 a dismissed link stays dismissed while the message is written', async () => {
  const { clock, asked, previews, states } = open();
  previews.type('https://a.example');
  clock.advance(1500);
  previews.dismiss('https://a.example');
  asked[0]?.answer('late');
  previews.type('https://a.example and more');
  clock.advance(1500);
  await Promise.resolve();

  expect([states(), asked.length, asked[0]?.signal.aborted]).toEqual([['a.example dismissed'], 1, true]);
  previews.reset();
  previews.type('https://a.example');
  expect(states()).toEqual(['a.example pending']);
});

test('A4 a link that was typed over is asked for no longer, and asked again when it is back', async () => {
  const { clock, asked, previews, states } = open();
  previews.type('https://a.example');
  clock.advance(1500);
  previews.type('https://b.example');
  asked[0]?.answer('old');
  clock.advance(1500);
  asked[1]?.answer('B');
  await vi.waitFor(() => expect(states()).toEqual(['b.example loaded']));
  previews.type('https://b.example https://a.example');
  clock.advance(1500);

  expect(asked.map(({ url }) => new URL(url).hostname)).toEqual(['a.example', 'b.example', 'a.example']);
  expect(states()).toEqual(['b.example loaded', 'a.example loading']);
});

test('A4 of an edited message only new links are asked for, and a card goes with its link', () => {
  const { clock, asked, previews, states } = open();
  const card = { type: 'article', og_scrape_url: 'https://a.example', title: 'A' };

  previews.start({ text: 'https://a.example https://b.example', attachments: [{ type: 'file' }, card] });
  clock.advance(1500);
  expect([states(), asked]).toEqual([['a.example loaded', 'b.example dismissed'], []]);
  expect(previews.attachments()).toEqual([card]);
  previews.type('https://b.example https://c.example');
  clock.advance(1500);

  expect(asked.map(({ url }) => url)).toEqual(['https://c.example']);
  expect(previews.attachments()).toEqual([]);
});

test.each([
  ['no link here', []],
  ['see https://a.example/x.', ['https://a.example/x']],
  ['(https://a.example/b_(c))', ['https://a.example/b_(c)']],
  ['www.a.example!', ['https://www.a.example']],
  ['`https://a.example` and ```\nhttps://b.example\n```', []],
  ['https://a.example https://a.example', ['https://a.example']],
  ['javascript:alert(1) ftp://a.example file:///etc/passwd', []],
  ['http://nodot and https://', []],
  [
    'https://a.example https://b.example https://c.example https://d.example',
    ['https://a.example', 'https://b.example', 'https://c.example'],
  ],
])('A4 links are found in %j', (text, links) => {
  expect(findLinks(text)).toEqual(links);
});
