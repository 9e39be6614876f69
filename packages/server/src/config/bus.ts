import { statSync } from 'node:fs';
import type { BusConfig } from '../bus/nats-link.ts';

type Reader = { problems: string[]; text(name: string): string | undefined };

const shape = /^(nats|tls):\/\/(?:([^@/]*)@)?([^@/?#]+)\/?$/;
const host = /^(\[[0-9a-f:]+\]|[\w.-]+)(:\d{1,5})?$/i;

/** An existing file, or undefined with the problem noted. */
const fileAt = (read: Reader, name: string): string | undefined => {
  const path = read.text(name);
  if (path === undefined) return undefined;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    read.problems.push(`${name} names no file: ${path}`);
  if (read.text('BUS_URL') === undefined) read.problems.push(`${name} needs BUS_URL`);
  return path;
};

/** The name and the password, or a token; undefined for a wrong escape. */
const credentialsOf = (account = ''): string[] | undefined => {
  try {
    return account.split(':').flatMap((part) => (account === '' ? [] : decodeURIComponent(part)));
  } catch {
    return undefined;
  }
};

/** Undefined: servers on one database reach each other by its notifications. */
export const readBusConfig = (read: Reader): BusConfig | undefined => {
  const url = read.text('BUS_URL');
  const caFile = fileAt(read, 'BUS_CA_FILE');
  const credentialsFile = fileAt(read, 'BUS_CREDENTIALS_FILE');
  if (url === undefined) return undefined;
  const [, scheme, account, hosts = ''] = shape.exec(url) ?? [];
  const servers = hosts.split(',');
  const credentials = credentialsOf(account);
  if (scheme === undefined || credentials === undefined || !servers.every((one) => host.test(one))) {
    // The error does not show the value: it may hold a password.
    read.problems.push(
      'BUS_URL must be nats://host:port or tls://user:password@host:port,host:port, with %25 for a % in the password',
    );
    return undefined;
  }
  const [first, pass] = credentials;
  return {
    servers,
    tls: scheme === 'tls' || caFile !== undefined,
    user: pass === undefined ? undefined : first,
    pass,
    token: pass === undefined ? first : undefined,
    caFile,
    credentialsFile,
  };
};
