import { expect, test } from 'vitest';
import { createAddressOf, findBadProxy } from './proxies.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});

test.each<[string, string[], [peer: string, header: string], string]>([
  ['nobody is trusted by default', [], ['10.0.0.1', '1.2.3.4'], '10.0.0.1'],
  ['a stranger who sends the header', ['10.0.0.1'], ['9.9.9.9', '1.2.3.4'], '9.9.9.9'],
  ['a named proxy', ['10.0.0.1'], ['10.0.0.1', '1.2.3.4'], '1.2.3.4'],
  ['a named proxy as IPv6 writes IPv4', ['10.0.0.1'], ['::ffff:10.0.0.1', '1.2.3.4'], '1.2.3.4'],
  ['a named proxy as IPv6 writes IPv4 in hex', ['10.0.0.1'], ['::ffff:a00:1', '1.2.3.4'], '1.2.3.4'],
  ['a caller as IPv6 writes IPv4 in hex', ['10.0.0.1'], ['10.0.0.1', '::ffff:909:909'], '9.9.9.9'],
  ['the same without a short form', ['10.0.0.1'], ['10.0.0.1', '0:0:0:0:0:FFFF:0909:0909'], '9.9.9.9'],
  ['the same with its port', ['10.0.0.1'], ['10.0.0.1', '[::ffff:909:909]:443'], '9.9.9.9'],
  ['IPv6 that only looks like it', ['10.0.0.1'], ['10.0.0.1', '::fffe:909:909'], '0:0:0:0::/64'],
  ['what the caller put before its own address', ['10.0.0.1'], ['10.0.0.1', '6.6.6.6, 1.2.3.4'], '1.2.3.4'],
  ['a chain of proxies', ['10.0.0.0/8'], ['10.0.0.1', '6.6.6.6, 1.2.3.4, 10.1.2.3'], '1.2.3.4'],
  [
    'a caller inside the network of the proxies',
    ['private', '1'],
    ['10.0.0.1', '6.6.6.6, 10.1.2.3'],
    '10.1.2.3',
  ],
  ['two proxies in a row', ['private', '2'], ['10.0.0.1', '6.6.6.6, 1.2.3.4, 10.1.2.3'], '1.2.3.4'],
  ['a count for a stranger', ['10.0.0.1', '1'], ['9.9.9.9', '1.2.3.4'], '9.9.9.9'],
  ['proxies alone', ['10.0.0.0/8'], ['10.0.0.1', '10.9.9.9, 10.1.2.3'], '10.9.9.9'],
  ['something that is no address', ['10.0.0.1'], ['10.0.0.1', 'bucket-of-mine'], '10.0.0.1'],
  [
    'something that is no address behind a proxy',
    ['10.0.0.0/8'],
    ['10.0.0.1', '1.2.3.4, x, 10.0.0.2'],
    '10.0.0.2',
  ],
  ['an empty header', ['10.0.0.1'], ['10.0.0.1', ''], '10.0.0.1'],
  ['commas alone', ['10.0.0.1'], ['10.0.0.1', ',,,'], '10.0.0.1'],
  ['an address with its port', ['10.0.0.1'], ['10.0.0.1', '1.2.3.4:5678'], '1.2.3.4'],
  ['IPv6 with its port', ['loopback'], ['::1', '[2001:db8::7]:443'], '2001:db8:0:0::/64'],
  ['IPv6 with a zone', ['loopback'], ['127.0.0.1', 'fe80::1%eth0'], 'fe80:0:0:0::/64'],
  ['an IPv6 proxy', ['fd00::/8'], ['fd00::1', '1.2.3.4'], '1.2.3.4'],
  ['private networks by name', ['private'], ['192.168.7.7', '1.2.3.4'], '1.2.3.4'],
])('%s', (_title, proxies, [peer, header], expected) => {
  expect(createAddressOf(proxies)(from(peer, header))).toBe(expected);
});

test('all addresses of one IPv6 network count as one caller', () => {
  const addressOf = createAddressOf([]);

  expect(addressOf(from('2001:db8:1:2::1'))).toBe(addressOf(from('2001:db8:1:2:ffff:aaaa:1:9')));
  expect(addressOf(from('2001:db8:1:2::1'))).not.toBe(addressOf(from('2001:db8:1:3::1')));
});

test('a socket without an address, and a header without end, are counted all the same', () => {
  const addressOf = createAddressOf(['127.0.0.1']);

  expect(addressOf(from(undefined, '1.2.3.4'))).toBe('unknown');
  expect(addressOf(from('127.0.0.1', '127.0.0.1,'.repeat(1500)))).toBe('127.0.0.1');
  expect(addressOf(from('127.0.0.1', '9'.repeat(16_000)))).toBe('127.0.0.1');
});

test.each([
  '10.0.0',
  '10.0.0.0/33',
  '0.0.0.0/0',
  '::/0',
  'fd00::/129',
  'proxy.example',
  '10.0.0.1/8/9',
  '10.0.0.0/',
  'true',
])('%s names no proxy', (entry) => {
  expect(findBadProxy(['loopback', '10.0.0.1', entry])).toBe(entry);
});

test('a count of proxies stands beside their networks, never alone', () => {
  expect(findBadProxy(['private', '2'])).toBeUndefined();
  expect(findBadProxy(['2'])).toBe('2');
});

test('a proxy that the configuration names in the IPv6 form of IPv4 is the same proxy', () => {
  expect(findBadProxy(['::ffff:a00:1'])).toBeUndefined();
  expect(createAddressOf(['::ffff:a00:1'])(from('10.0.0.1', '1.2.3.4'))).toBe('1.2.3.4');
});

test('addresses, networks and the two names are taken', () => {
  expect(findBadProxy(['loopback', 'private', '10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])).toBeUndefined();
});
