import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { linkPreviews } from '@parley/client/link-previews';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let chat: TestChat;
let site: Server;
let secret: Server;
let base: string;
let inside: string;
const hits: string[] = [];
let secretHits = 0;

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  secret = createServer((_request, response) => {
    secretHits++;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Secret</title>');
  });
  inside = await listen(secret);
  site = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    hits.push(url.pathname);
    const to = url.searchParams.get('to');
    if (to !== null)
      response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end();
    else if (url.pathname === '/none') response.writeHead(404).end();
    else
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<title>Page ${url.pathname}</title><meta property="og:image" content="/a.png">`);
      }, 50);
  });
  base = await listen(site);
  chat = await createTestChat({ users: ['ana'], config: { previewHosts: [base] } });
});
afterAll(async () => {
  await chat.stop();
  site.close();
  secret.close();
});

test('A4 a page says what it is, once for all who ask at the same time and for an hour', async () => {
  const ana = await chat.as('ana');
  const query = { url: `http://${base}/story#part` };

  const all = await Promise.all([1, 2, 3, 4].map(() => ana.call('GET /og', { query })));
  await ana.call('GET /og', { query });

  expect(all[0]).toMatchObject({
    type: 'article',
    og_scrape_url: query.url,
    title: 'Page /story',
    image_url: `http://${base}/a.png`,
  });
  expect(hits.filter((path) => path === '/story')).toHaveLength(1);
});

test('A4 a page that is not there has no preview, and is not asked for at every key', async () => {
  const ana = await chat.as('ana');
  const query = { url: `http://${base}/none` };

  const [first, second] = [await ana.refused('GET /og', { query }), await ana.refused('GET /og', { query })];

  expect([first.code, second.code]).toEqual([16, 16]);
  expect(hits.filter((path) => path === '/none')).toHaveLength(1);
});

const port = () => inside.split(':')[1] ?? '';

test.each([
  ...[
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://LocalHost.:PORT/',
    'http://[::1]:PORT/',
    'http://127.1:PORT/',
  ],
  ...[
    'http://2130706433:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
  ],
  ...[
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
  ],
  ...[
    'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
  ],
  ...[
    'http://127.0.0.1.:PORT/',
    'http://127。0。0。1:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://a@127.0.0.1:PORT/',
  ],
  ...[
    'http://example.com@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT\\@example.com/',
    'http:\\\\127.0.0.1:PORT',
    'HTTP://127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
  ],
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://100.100.100.200/',
  ],
  ...[
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
  ],
  ...[
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[ff02::1]/',
    'http://router.local/',
    'http://intranet/',
    'http://a.localhost:PORT/',
  ],
  ...[
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/',
    'data:text/html,<title>x</title>',
    'javascript:alert(1)',
    'dict://127.0.0.1:PORT/',
  ],
  ...[
    'http://example.com:22/',
    'not a url',
    'http://',
    'SITE/?to=http://127.0.0.1:PORT/',
    'SITE/?to=http://localhost:PORT/',
    'SITE/?to=http://[::1]:PORT/',
  ],
  ...[
    'SITE/?to=http://169.254.169.254/',
    'SITE/?to=file:///etc/passwd',
    'SITE/?to=//127.0.0.1:PORT/',
    'SITE/?to=SITE/%3Fto=http://0:PORT/',
    'SITE/?to=http://10.0.0.1/',
    'SITE/?to=http://192.168.1.1/',
  ],
  ...[
    'SITE/?to=http://2130706433:PORT/',
    'SITE/?to=http://0x7f.1:PORT/',
    'SITE/?to=http://[::ffff:7f00:1]:PORT/',
    'SITE/?to=http://[64:ff9b::7f00:1]:PORT/',
    'SITE/?to=http://a@127.0.0.1:PORT/',
    'SITE/?to=\\\\127.0.0.1:PORT/',
    'SITE/?to=gopher://127.0.0.1:PORT/',
  ],
  ...['SITE/?status=301', 'SITE/?status=303', 'SITE/?status=307', 'SITE/?status=308'].map(
    (redirect) => `${redirect}&to=http://127.0.0.1:PORT/`,
  ),
  ...[
    'http://127.0.1:PORT/',
    'http://0x7f.1:PORT/',
    'http://127.0.0.0x1:PORT/',
    'http://00000177.0.0.1:PORT/',
    'http://127.255.255.254:PORT/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://3232235777/',
    'http://192.168.257/',
    'http://10.1/',
  ],
  ...[
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:0:7f00:1]:PORT/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::7f00:1]:PORT/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[2002:c0a8:101::1]/',
    'http://[2001::7f00:1]:PORT/',
    'http://[fec0::1]/',
    'http://[fd12:3456:789a::1]/',
    'http://[fe80::1%25eth0]/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/',
  ],
  ...[
    'http://user:pass@127.0.0.1:PORT/',
    'http://example.com:80@127.0.0.1:PORT/',
    'http://example.com%2F@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT#@example.com/',
    'http://127.0.0.1:PORT?@example.com/',
    'http://127.0.0.1%00.example.com:PORT/',
    'http://127.0.0.1\\t.example.com:PORT/',
    ' http://127.0.0.1:PORT/',
    'http://127.0.0.1:PORT\n/',
    'http:127.0.0.1:PORT/',
  ],
  ...[
    'http://169.254.170.2/v2/credentials/',
    'http://168.63.129.16/metadata/',
    'http://192.0.0.192/opc/v1/instance/',
    'http://metadata/computeMetadata/v1/',
    'http://METADATA.google.internal./',
    'http://host.docker.internal/',
    'http://kubernetes.default.svc.cluster.local/',
    'http://1.0.0.127.in-addr.arpa/',
  ],
])('A4 nothing inside is read through %s', async (pattern) => {
  const url = pattern.replaceAll('SITE', `http://${base}`).replaceAll('PORT', port());
  const ana = await chat.as('ana');

  const error = await ana.refused('GET /og', { query: { url } });

  expect([4, 16]).toContain(error.code);
  expect(JSON.stringify(error)).not.toContain('Secret');
  expect(secretHits).toBe(0);
});

test('A4 visitors without a name ask for nothing', async () => {
  const answer = await fetch(`${chat.baseUrl}/og?url=http://${base}/`, {
    headers: { 'x-api-key': chat.apiKey, 'x-auth-type': 'anonymous' },
  });

  expect(answer.status).toBe(403);
});

test('A4 a link in the text becomes a card that the message carries', async () => {
  const { client } = await chat.connect('ana');
  await client.http.call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'og' },
    body: { data: { members: ['ana'] } },
  });
  const previews = client.feature(linkPreviews).create({ pauseMs: 10 });

  previews.type(`look at http://${base}/card and http://${base}/none`);
  await vi.waitFor(() =>
    expect(previews.get().items.map(({ state }) => state)).toEqual(['loaded', 'failed']),
  );
  const { message } = await client.http.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'og' },
    body: { message: { text: 'look', attachments: previews.attachments() } },
  });

  expect(message.attachments).toMatchObject([
    { type: 'article', title: 'Page /card', og_scrape_url: `http://${base}/card` },
  ]);
});
