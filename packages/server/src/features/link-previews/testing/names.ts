import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Resolve } from '../fetch-page.ts';

export type NameRecord = { type: 'A' | 'AAAA'; address: string };

const codes = { A: 1, AAAA: 28 } as const;

const bytesOf = ({ type, address }: NameRecord): Buffer => {
  if (type === 'A') return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

/** The question comes back with an answer that holds for no second. */
const answerTo = (query: Buffer, record: NameRecord): Buffer => {
  const end = query.indexOf(0, 12) + 5;
  const data = bytesOf(record);
  const isAsked = query.readUInt16BE(end - 4) === codes[record.type];
  const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, isAsked ? 1 : 0, 0, 0, 0, 0]);
  const entry = Buffer.from([0xc0, 12, 0, codes[record.type], 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, query.subarray(12, end), ...(isAsked ? [entry, data] : [])]);
};

/** A name server of one's own: it gives the first answer, then the next, and the last for ever. */
export const startNames = async (records: readonly NameRecord[]) => {
  const socket = createSocket('udp4');
  let asked = 0;
  const current = () => records[Math.min(asked, records.length) - 1];
  socket.on('message', (query, from) => {
    const record = current();
    if (record) socket.send(answerTo(query, record), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const resolve: Resolve = async (host) => {
    asked++;
    const found = await Promise.all([
      resolver.resolve4(host).catch(() => []),
      resolver.resolve6(host).catch(() => []),
    ]);
    return found.flat().map((address) => ({ address, family: isIP(address) }));
  };
  return { resolve, asked: () => asked, stop: () => socket.close() };
};

/** Something inside, on a port that pages may have. */
export const listenOnWebPort = async () => {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Inside</title>');
  });
  for (const port of [8080, 8443]) {
    server.listen(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (isOpen) break;
  }
  const address = server.address() as AddressInfo | null;
  return { port: address?.port ?? 8080, hits: () => hits, stop: () => void server.close() };
};
