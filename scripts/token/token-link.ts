import { parseArgs } from 'node:util';

export type Wish = { userId: string; name?: string; hours: number };

/** A mistake in the command, in words for whoever typed it. */
export class UsageError extends Error {}

const usage = 'Usage: npm run token -- <user id> [--name "Their name"] [--hours 24]';
const idShape = /^[A-Za-z0-9@_.!~*'()-]{1,64}$/;

/** Reads for which user the link is, and for how long; an error names the wrong argument. */
export const readWish = (args: string[]): Wish => {
  let given: ReturnType<typeof parse>;
  try {
    given = parse(args);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
  const { values, positionals } = given;
  const [userId, more] = positionals;
  if (userId === undefined || more !== undefined) throw new UsageError(usage);
  if (!idShape.test(userId))
    throw new UsageError(
      `"${userId}" is not a user id: 1 to 64 of A–Z a–z 0–9 @ _ . ! ~ * ' ( ) -\n${usage}`,
    );
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 8760)) throw new UsageError(`--hours must be from 0 to 8760\n${usage}`);
  return { userId, hours, ...(values.name && { name: values.name }) };
};

const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: { name: { type: 'string' }, hours: { type: 'string', default: '24' } },
  });

type Server = { publicUrl: string | undefined; host: string; port: number };

/** The address that people use. A server that listens everywhere is reached on this machine by its own name. */
const addressOf = ({ publicUrl, host, port }: Server): string => {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

/** The token is in the fragment: browsers send what follows `#` to no server, so that no log keeps it. */
export const linkOf = (server: Server, token: string, name: string | undefined): string =>
  `${addressOf(server)}/#${new URLSearchParams({ token, ...(name && { name }) })}`;
