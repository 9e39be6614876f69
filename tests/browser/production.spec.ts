import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAdminClient } from '@parley/client/admin';
import { freePort } from '@parley/testkit/free-port';
import { expect, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The environment of a production start: no demo, a key and a secret of its own. */
const environment = async (more: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> => {
  const port = String(await freePort());
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    NODE_ENV: 'production',
    PORT: port,
    PARLEY_DATA: mkdtempSync(join(tmpdir(), 'parley-production-')),
    PARLEY_API_KEY: 'production-key',
    PARLEY_API_SECRET: 'a-secret-that-only-this-test-knows',
    LOG_LEVEL: 'info',
    ...more,
  };
};

let server: ChildProcess;
let env: NodeJS.ProcessEnv;
let log = '';
const url = () => `http://127.0.0.1:${env.PORT}`;

test.beforeAll(async () => {
  env = await environment();
  server = spawn(process.execPath, ['scripts/start.ts'], { cwd: root, env });
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  await expect
    .poll(
      () =>
        fetch(`${url()}/readyz`).then(
          ({ status }) => status,
          () => log,
        ),
      { timeout: 110_000 },
    )
    .toBe(200);
});

test.afterAll(async () => {
  const ended = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGTERM');
  await ended;
});

/** Runs a command of an administrator, in the environment of the server. */
const makeLink = async (...args: string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, ['scripts/token.ts', ...args], { cwd: root, env });
  return stdout.trim();
};

/** The list is drawn as empty only when the server has answered whoever signed in. */
const entered = (page: Page) => expect(page.getByText('No conversations yet')).toBeVisible();

test('W1 the first production start says how to sign in, and the link of the command signs in', async ({
  page,
}) => {
  const problems: string[] = [];
  page.on('response', (reply) => reply.status() >= 400 && problems.push(`${reply.status()} ${reply.url()}`));
  await page.goto(url());
  await expect(page.getByRole('heading', { name: 'Sign in to Parley' })).toBeVisible();
  await expect(page.getByText('Sign in with the link you were sent.')).toBeVisible();
  await page.getByText('Do you run this server?').click();
  await expect(page.getByText('npm run token --')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const right = (part: string) =>
    page.locator(part).evaluate((element) => element.getBoundingClientRect().right);
  expect(await right('main pre')).toBeLessThan(await right('main > div'));
  expect(await violations(page)).toEqual([]);
  expect(problems).toEqual([]);

  const link = await makeLink('ana', '--name', 'Ana Ribeiro');
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
  await page.goto('about:blank');
  await page.goto(link);
  await entered(page);

  expect(page.url()).not.toContain('token');
  expect(log).not.toContain(token);
  await page.reload();
  await entered(page);
});

test('W1 a link leads to the page that it names', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  const link = new URL(await makeLink('bo', '--name', 'Bo'));
  link.pathname = '/threads';
  await page.goto(link.href);
  await entered(page);

  await expect(page).toHaveURL(`${url()}/threads`);
  await page.context().close();
});

for (const [what, change, words] of [
  [
    'with a wrong signature',
    (link: string) => link.replace(/.{8}$/, 'AAAAAAAA'),
    /doesn't know this sign-in/,
  ],
  ['cut in the middle', (link: string) => link.slice(0, -60), /isn't complete/],
] as const)
  test(`W1 a link ${what} is answered in words`, async ({ page }) => {
    await page.goto(change(await makeLink('ana')));

    await expect(page.getByRole('alert')).toHaveText(words);
    await expect(page.getByRole('heading', { name: 'Sign in to Parley' })).toBeVisible();
    expect(page.url()).not.toContain('token');
  });

const asServer = () => {
  const { PARLEY_API_KEY: apiKey = '', PARLEY_API_SECRET: secret = '' } = env;
  return createAdminClient({ apiKey, secret, baseUrl: `${url()}/api` });
};

test('W1 a link that has expired is answered in words', async ({ page }) => {
  const token = await asServer().createToken('ana', Math.floor(Date.now() / 1000) - 60);
  await page.goto(`${url()}/#token=${token}`);

  await expect(page.getByRole('alert')).toHaveText(/has expired/);
});

test('W1 a user signed in by a link gets the sign-in page when it is revoked, also after a reload', async ({
  page,
}) => {
  await page.goto(await makeLink('cleo'));
  await entered(page);

  await asServer().revokeUserToken('cleo', new Date());

  await expect(page.getByRole('alert')).toHaveText(/was ended/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in to Parley' })).toBeVisible();
});

test('W1 the address of the own sign-in is offered where it is configured, and a wrong one stops the start', async ({
  page,
}) => {
  const config = '<script type="application/json" id="parley-config">';
  await page.route(url(), async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replace(
      new RegExp(`${config}{`),
      `${config}{"signInUrl":"https://product.example.com/enter",`,
    );
    await route.fulfill({ response: reply, body });
  });
  await page.goto(url());
  await expect(page.getByRole('link', { name: 'Continue to sign in' })).toHaveAttribute(
    'href',
    'https://product.example.com/enter',
  );

  const wrong = await environment({ PARLEY_SIGN_IN_URL: 'javascript:alert(1)' });
  const start = run(process.execPath, ['scripts/token.ts', 'ana'], { cwd: root, env: wrong });
  await expect(start).rejects.toThrow(/PARLEY_SIGN_IN_URL must be a URL that begins with http: or https:/);
});
