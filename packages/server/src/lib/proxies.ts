import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Names for networks that nobody wants to spell out. */
const named: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10'],
};

/** A chain of proxies is short; what is longer was made up. */
const mostHops = 20;
const unknownAddress = 'unknown';

/** An IPv4 address in IPv6 as a URL writes each of its many forms: the last two groups in hex. */
const mappedV4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

const unmapped = (address: string): string => {
  const [, high, low] = mappedV4.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
};

/** An address without its zone and without the IPv6 form of IPv4; undefined for what is no address. */
const plainAddress = (given: string): string | undefined => {
  const address = given.replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  return isIPv6(address) ? unmapped(address) : undefined;
};

/** One entry of `X-Forwarded-For`; some proxies write the port behind the address. */
const hopAddress = (entry: string): string | undefined => {
  const text = entry.trim();
  if (text.length > 64) return undefined;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  return plainAddress(bracketed ?? withPort ?? text);
};

/** The eight groups of an IPv6 address. */
const groupsOf = (address: string): string[] => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail === undefined) return first;
  const last = tail === '' ? [] : tail.split(':');
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
};

/** The key of a caller's address: one IPv4 address, or an IPv6 /64 network, of which a single caller has all addresses. */
const bucketOf = (address: string): string =>
  isIPv4(address) ? address : `${groupsOf(address).slice(0, 4).join(':')}::/64`;

const parseEntry = (entry: string): { address: string; bits: number } | undefined => {
  const [given = '', size, ...rest] = entry.split('/');
  const address = plainAddress(given);
  if (address === undefined || rest.length > 0) return undefined;
  const most = isIPv4(address) ? 32 : 128;
  const bits = size === undefined ? most : /^\d{1,3}$/.test(size) ? Number(size) : 0;
  return bits >= 1 && bits <= most ? { address, bits } : undefined;
};

/** How many proxies stand in a row. Without it a caller inside a network that is named passes for one more proxy, and what it
 * wrote itself would count as its address. */
const isCount = (entry: string): boolean => /^[1-9]$/.test(entry);

/** The first entry that names no proxy, if there is one. A count alone names none. */
export const findBadProxy = (entries: string[]): string | undefined =>
  entries.find(
    (entry) =>
      (!isCount(entry) || entries.every(isCount)) &&
      named[entry] === undefined &&
      parseEntry(entry) === undefined,
  );

const createList = (entries: string[]): BlockList => {
  const list = new BlockList();
  for (const entry of entries.flatMap((given) => named[given] ?? [given])) {
    const parsed = parseEntry(entry);
    if (parsed) list.addSubnet(parsed.address, parsed.bits, isIPv4(parsed.address) ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** The parts of a request that name its sender. */
type Sent = Pick<IncomingMessage, 'headers'> & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };
export type AddressOf = (request: Sent) => string;

/** Finds the address by which a caller is counted. `X-Forwarded-For` is read from the right, past the proxies that the configuration
 * names, and no further: what stands left of an unknown address, or of something that is no address, anybody can have written. */
export const createAddressOf = (proxies: string[]): AddressOf => {
  const list = createList(proxies);
  const most = Number(proxies.find(isCount) ?? mostHops);
  const isProxy = (address: string) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return (request) => {
    let address = plainAddress(request.socket.remoteAddress ?? '');
    if (address === undefined) return unknownAddress;
    const header = request.headers['x-forwarded-for'];
    if (proxies.length === 0 || header === undefined) return bucketOf(address);
    const hops = String(header).split(',');
    for (let index = hops.length - 1; index >= Math.max(0, hops.length - most); index--) {
      if (!isProxy(address)) break;
      const next = hopAddress(hops[index] ?? '');
      if (next === undefined) break;
      address = next;
    }
    return bucketOf(address);
  };
};
