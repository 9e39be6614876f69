import { BlockList, isIP } from 'node:net';

/** IPv4 that is nobody's on the open internet: private, shared, loopback, link-local, documentation, multicast, reserved. The first
 * looks public, and is where machines of one cloud read their own secrets. */
const private4 = `168.63.129.16/32 0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;

/** The networks that lead to IPv4 by another door, or are set aside, within the one part of IPv6 that is given out. */
const private6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

const listOf = (text: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const range of text.split(/\s+/)) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const closed4 = listOf(private4, 'ipv4');
const closed6 = listOf(private6, 'ipv6');
/** Everything else in IPv6 is loopback, link-local, unique local, mapped, translated or not given out. */
const open6 = listOf('2000::/3', 'ipv6');

/** Whether an address is one of the open internet. Text that is no address is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !closed4.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
};

const innerNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|test|invalid|onion)$/i;
const webPorts = new Set(['', '80', '443', '8080', '8443']);

/** Checks the URL alone, before any name is looked up. */
export const isPublicUrl = (url: URL): boolean => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  if (url.username !== '' || url.password !== '' || !webPorts.has(url.port)) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !innerNames.test(host);
};
