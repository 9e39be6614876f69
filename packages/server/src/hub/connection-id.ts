import { randomBytes } from 'node:crypto';

/** A UUID in 22 characters: two of them fit into the longest id that a call takes. */
const shorten = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');

const lengthen = (short: string): string => {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return [0, 8, 12, 16, 20].map((at, n, all) => hex.slice(at, all[n + 1])).join('-');
};

const shape = /^([\w-]{22})\.[\w-]{22}$/;

/** An id that nobody can guess. It names the server of the connection, so that another one knows whom to ask. */
export const createConnectionId = (serverId: string): string =>
  `${shorten(serverId)}.${randomBytes(16).toString('base64url')}`;

/** The server of the connection; undefined for a text of another shape, such as an id of an earlier version. */
export const serverOfConnection = (id: string): string | undefined => {
  const short = shape.exec(id)?.[1];
  return short === undefined ? undefined : lengthen(short);
};
