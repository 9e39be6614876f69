import { startEmbeddedPostgres } from '@parley/server';
import { type CDPSession, expect, type Page, test } from '@playwright/test';
import pg from 'pg';
import { feed, signIn } from './people.ts';

const count = 100_000;
const cid = 'team:long-story';
// A trace would be measured too.
test.use({ trace: 'off' });

const print = (line: string) => process.stdout.write(`    M3 ${line}\n`);

/** As if they had been said, a minute apart: what was said one by one would take minutes. */
const tellLongStory = async (): Promise<void> => {
  const postgres = await startEmbeddedPostgres({ dataDir: process.env.PARLEY_BROWSER_DATA ?? '' });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`insert into channels (cid, type, id, name, created_by, created_at, updated_at, last_message_at, member_count, seq, last_number)
    values ('${cid}', 'team', 'long-story', 'Long story', 'ana', now() - interval '80 days', now(), now(), 1, ${count}, ${count})`);
  await client.query(`insert into members (cid, user_id, channel_role, created_at, updated_at, read_number)
    values ('${cid}', 'ana', 'owner', now(), now(), ${count})`);
  await client.query(`insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
    select 'long-' || n, '${cid}', case when n % 7 < 4 then 'ana' else 'bo' end, 'Part ' || n || repeat(' and so on', (n % 9)::int),
      'regular', n, n, at, at
    from generate_series(1, ${count}) n, lateral (select now() - (${count} - n) * interval '1 minute' as at) t`);
  await client.query('analyze messages');
  await client.end();
  await postgres.stop();
};

const metricsOf = async (cdp: CDPSession) => {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { scriptMs: value('ScriptDuration') * 1000, heap: value('JSHeapUsedSize') / 1e6 };
};

/** How long scripts ran meanwhile, and what they left on the heap. */
const measure = async (cdp: CDPSession, act: () => Promise<void>) => {
  const before = await metricsOf(cdp);
  await act();
  const after = await metricsOf(cdp);
  return { scriptMs: after.scriptMs - before.scriptMs, megabytes: after.heap - before.heap };
};

const part = (page: Page, number: number) =>
  feed(page).getByText(new RegExp(`^Part ${number}( and so on)*$`));

/** Wheels up until the first message of so many is there. */
const wheelUp = async (page: Page, messages: number): Promise<void> => {
  await feed(page).hover();
  await page.evaluate(async (goal) => {
    const list = document.querySelector<HTMLElement>('[role=feed]');
    const oldest = () => Number(/Part (\d+)/.exec(list?.textContent ?? '')?.[1] ?? 1e9);
    const from = oldest();
    while (list && from - oldest() < goal) {
      list.scrollTop -= 1500;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, messages);
};

test('M3 a channel of 100 000 messages opens, jumps to its first and scrolls in bounded memory', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  await tellLongStory();
  const { page, context } = await signIn(browser, /Ana Ribeiro/);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  const go = (path: string) =>
    page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);

  const opened = await measure(cdp, async () => {
    await go('/c/team/long-story');
    await expect(part(page, count)).toBeInViewport();
  });
  const jumped = await measure(cdp, async () => {
    await go('/c/team/long-story?m=long-1');
    await expect(part(page, 1)).toBeInViewport();
  });
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(part(page, count)).toBeInViewport();
  const scrolled = await measure(cdp, () => wheelUp(page, 10_000));
  const elements = await feed(page).locator('*').count();

  print(
    `100 000 messages: open ${opened.scriptMs.toFixed(0)} ms, jump to the first ${jumped.scriptMs.toFixed(0)} ms of scripting`,
  );
  print(`10 000 messages scrolled through: ${scrolled.megabytes.toFixed(1)} MB more, ${elements} elements`);
  expect(scrolled.megabytes).toBeLessThan(30);
  expect(elements).toBeLessThan(1000);
  expect(opened.scriptMs).toBeLessThan(150 * 4);
  expect(jumped.scriptMs).toBeLessThan(300 * 4);
  await context.close();
});
