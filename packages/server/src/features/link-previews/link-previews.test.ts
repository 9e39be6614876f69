import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isPublicAddress, isPublicUrl } from './addresses.ts';
import { fetchPage } from './fetch-page.ts';
import { readHead } from './page-head.ts';
import { previewOf } from './preview.ts';
import { listenOnWebPort, startNames } from './testing/names.ts';

test.each(
  `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.168.0.1 168.63.129.16 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1
  240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 fc00::1
  fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2001:db8::1 2001::1 2001:10::1 2002:7f00:1::1 3fff::1 5f00::1 not-an-ip`.split(
    /\s+/,
  ),
)('A4 %s is no address of the open web', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(
  '8.8.8.8 1.1.1.1 93.184.216.34 172.32.0.1 100.128.0.1 2606:4700::1111 2a00:1450:4001::200e'.split(' '),
)('A4 %s is an address of the open web', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://0/',
  'http://[::ffff:7f00:1]/',
  'http://[::]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://intranet/',
  'http://user:pass@example.com/',
  'http://example.com:22/',
  'http://example.com:6379/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
])('A4 %s leads nowhere on the open web', (url) => {
  expect(isPublicUrl(new URL(url))).toBe(false);
});

let site: Server;
let host: string;
const hits: string[] = [];
const page = '<html><head><title>Inside</title></head></html>';

beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? '/';
    hits.push(path);
    const to = new URL(path, 'http://x').searchParams.get('to');
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (to !== null) response.writeHead(302, { location: to }).end();
    else if (path === '/slow') setTimeout(() => response.writeHead(200, html).end(page), 3000).unref();
    else if (path === '/drip') {
      response.writeHead(200, html);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    } else if (path === '/endless') {
      response.writeHead(200, html).write('<title>Long</title>');
      const fill = () => {
        while (response.writable && response.write('x'.repeat(65_536)));
      };
      response.on('drain', fill);
      fill();
    } else if (path === '/bomb')
      response
        .writeHead(200, { ...html, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(200_000_000, 'a')));
    else if (path === '/image') response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    else response.writeHead(200, html).end(page);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const fetchFrom = (path: string, timeoutMs?: number) =>
  fetchPage(new URL(`http://${host}${path}`), {
    allowed: new Set([host]),
    ...(timeoutMs ? { timeoutMs } : {}),
  });

test('A4 a site is reached when it is on the list', async () => {
  expect((await fetchFrom('/ok')).html).toBe(page);
  expect((await fetchFrom('/?to=/ok')).url.pathname).toBe('/ok');
});

test('A4 a redirect to what may not be reached ends there', async () => {
  const port = host.split(':')[1];
  const targets = [
    'http://169.254.169.254/latest',
    `http://localhost:${port}/ok`,
    `http://[::1]:${port}/`,
    'file:///etc/passwd',
    'http://10.0.0.1/',
    '//0/',
  ];
  for (const to of targets)
    await expect(fetchFrom(`/?to=${encodeURIComponent(to)}`), to).rejects.toThrow('no public URL');
  await expect(fetchFrom(`/?to=${encodeURIComponent('/?to=/%3Fto=/')}`)).resolves.toBeDefined();
  const loop = `http://${host}/?to=`;
  await expect(
    fetchFrom(`/?to=${encodeURIComponent(`${loop}${encodeURIComponent('/?to=/a')}`)}`),
  ).resolves.toBeDefined();
});

test('A4 a name that leads inside, alone or among others, is not connected to', async () => {
  const url = new URL('http://rebind.example.com/');
  const inside = { address: '127.0.0.1', family: 4 };
  const outside = { address: '93.184.216.34', family: 4 };
  for (const answers of [[inside], [outside, inside], []])
    await expect(fetchPage(url, { allowed: new Set(), resolve: async () => answers })).rejects.toThrow(
      'no public address',
    );
});

test('A4 a name that changes its answer is asked once, and the socket does not ask again', async () => {
  // Given out to nobody: it counts as public, and no packet leaves the machine.
  const nobody = { type: 'AAAA', address: '3000::1' } as const;
  const names = await startNames([nobody, { type: 'A', address: '127.0.0.1' }]);
  const inside = await listenOnWebPort();
  const system = vi.spyOn(dns, 'lookup');
  try {
    await expect(
      fetchPage(new URL(`http://rebind.example.com:${inside.port}/`), {
        ...{ allowed: new Set<string>(), resolve: names.resolve, timeoutMs: 500 },
      }),
    ).rejects.toThrow();
    expect([names.asked(), inside.hits(), system.mock.calls.length]).toEqual([1, 0, 0]);
    await expect(
      fetchPage(new URL(`http://rebind.example.com:${inside.port}/`), {
        ...{ allowed: new Set<string>(), resolve: names.resolve, timeoutMs: 10_000 },
      }),
    ).rejects.toThrow('no public address');
    expect([names.asked(), inside.hits()]).toEqual([2, 0]);
  } finally {
    system.mockRestore();
    names.stop();
    inside.stop();
  }
});

test('A4 two seconds and one MiB are the limits, packed or not', async () => {
  // It would answer after three.
  await expect(fetchFrom('/slow')).rejects.toThrow();
  await expect(fetchFrom('/drip', 300)).rejects.toThrow();
  // Time enough: what is held against is the length.
  expect((await fetchFrom('/endless', 15_000)).html).toHaveLength(1024 * 1024);
  expect((await fetchFrom('/bomb', 15_000)).html).toHaveLength(1024 * 1024);
  await expect(fetchFrom('/image')).rejects.toThrow('image/png');
});

const base = new URL('https://news.example.com/story');
const preview = (head: string) => previewOf(`<html><head>${head}</head><body></body></html>`, 'asked', base);

test('A4 a page says its title, text, picture and kind', async () => {
  expect(
    await preview(`<title>Plain</title><meta property="og:title" content="Tom &amp; &#x1F600; Co"><meta name='description' content='A  "b"
      c'><meta property=og:image content=/pic.jpg><meta property="og:site_name" content="News"><meta property="og:type" content="article">`),
  ).toEqual({
    type: 'article',
    og_scrape_url: 'asked',
    title_link: 'https://news.example.com/story',
    title: 'Tom & 😀 Co',
    text: 'A "b" c',
    author_name: 'News',
    image_url: 'https://news.example.com/pic.jpg',
    thumb_url: 'https://news.example.com/pic.jpg',
  });
  expect((await preview('<title>V</title><meta property="og:type" content="video.other">'))?.type).toBe(
    'video',
  );
  expect((await preview('<title>P</title><meta name="twitter:card" content="photo">'))?.type).toBe('image');
});

test('A4 the words of a page are text, and its pictures are on the open web', async () => {
  const found =
    await preview(`<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><meta property="og:image" content="javascript:alert(1)">
    <meta property="og:description" content="<img src=x onerror=alert(1)>">`);
  expect(found).toMatchObject({ title: '<script>alert(1)</script>', text: '<img src=x onerror=alert(1)>' });
  expect(found?.image_url).toBeUndefined();
  expect(
    (await preview('<title>a</title><meta property="og:image" content="http://192.168.0.1/x.png">'))
      ?.image_url,
  ).toBeUndefined();
  expect(await preview('<p>nothing</p>')).toBeUndefined();
});

test('A4 of a page of meta tags only the first are read', async () => {
  const tag = (index: number) => `<meta name="n${index}" content="${'x'.repeat(80)}">`;
  const page = `${Array.from({ length: 10_000 }, (_, index) => tag(index)).join('')}<title>The end</title>`;

  const head = await readHead(page);

  expect(head.get('n0')).toBe('x'.repeat(80));
  expect(head.size).toBeLessThan(1500);
  expect(head.get('title')).toBe('The end');
});

test('A4 the head is read up to its end, to the body or to the end of the text', async () => {
  const late = '<title>late</title><meta name="late" content="1">';
  for (const end of ['</head>', '<body>', '<BODY class="a">', '</html>'])
    expect([...(await readHead(`<html><head><meta name="early" content="1">${end}${late}`)).keys()]).toEqual([
      'early',
    ]);
  expect([...(await readHead(`<p>no head</p>${late}`)).keys()]).toEqual(['title', 'late']);
});

test('A4 the title of a drawing, a template or a script is not the title of the page', async () => {
  for (const name of ['svg', 'template', 'noscript', 'script', 'style', 'textarea', 'iframe'])
    expect(
      (await readHead(`<${name} a="b"><title>no</title></${name}><title>yes</title>`)).get('title'),
    ).toBe('yes');
  expect(
    (await readHead('<svg><svg><title>no</title></svg><title>no</title></svg><title>yes</title>')).get(
      'title',
    ),
  ).toBe('yes');
});

test('A4 entities are decoded, the first of two attributes or fields counts, and texts are bounded', async () => {
  const head =
    await readHead(`<title>Caf&eacute; &amp &#39;x&#39; &nosuch; &#xD800;</title><META NAME=a CONTENT=1 content=2>
    <meta name="a" content="3"><meta itemprop="image" content='/p?a=1&amp;b=2'><meta name="long" content="${'x'.repeat(9000)}">
    <meta name="empty"><meta content="nobody">`);
  expect(Object.fromEntries(head)).toEqual({
    title: "Café & 'x' &nosuch; \ufffd",
    a: '1',
    image: '/p?a=1&b=2',
    long: 'x'.repeat(4000),
  });
  expect((await readHead(`<title>${'&amp;'.repeat(9000)}</title>`)).get('title')).toBe('&'.repeat(4000));
});

test('A4 scripts and comments are not read', async () => {
  expect(
    (await readHead('<!-- <title>no</title> --><script>"<title>no</title>"</script><title>yes</title>')).get(
      'title',
    ),
  ).toBe('yes');
});

const size = 1024 * 1024;
const fill = (text: string, length = size) => text.repeat(length / text.length);
test.each([
  ['open signs', fill('<')],
  ['open meta tags', fill('<meta ')],
  ['open quotes', fill('<meta content="')],
  ['open quotes of the other kind', fill("<meta '")],
  ['open comments', fill('<!--')],
  ['open titles', fill('<title>')],
  ['open attributes', fill('<a b=')],
  ['open elements', fill('<a1>')],
  ['open elements, then closing tags of others', '<a1>'.repeat(19_000) + fill('</zz>')],
  ['forms in forms', fill('<form>')],
  ['drawings in drawings', fill('<svg><title>')],
  [
    'attributes of one tag',
    `<meta ${Array.from({ length: 80_000 }, (_, index) => `a${index}=""`).join(' ')}>`,
  ],
  ['entities in an attribute', `<meta content="${fill('&amp;')}">`],
  ['entities in a title', `<title>${fill('&notit;')}</title>`],
  ['entities without an end', fill('&#1')],
])('A4 1 MiB of %s takes no quadratic time', async (_name, page) => {
  const start = performance.now();
  await readHead(page);
  // Linear takes some 50 ms.
  expect(performance.now() - start).toBeLessThan(2000);
});

test('A4 other work of the server goes on while a long page is read', async () => {
  const reading = readHead(fill('<'));
  let isRead = false;
  reading.then(() => (isRead = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isRead).toBe(false);
  await reading;
});

test('A4 fields are found across the borders of what is read at once', async () => {
  const long = 'x'.repeat(2000);
  for (const before of [65_500, 65_530, 131_060])
    expect(
      Object.fromEntries(
        await readHead(
          `<!--${'-'.repeat(before - 7)}--><meta name="a&amp;b" content="${long}"><title>T&eacute;</title>`,
        ),
      ),
    ).toEqual({ 'a&b': long, title: 'Té' });
});
