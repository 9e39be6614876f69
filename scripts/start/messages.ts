import type { Environment } from './environment.ts';

export const isOn = (value: string | undefined): boolean =>
  ['on', 'true', '1', 'yes'].includes((value ?? '').trim().toLowerCase());

export const row = (label: string, text: string): string => `    ${label.padEnd(6)} ${text}`;

/** The text shown when the server is up. */
export const welcome = (url: string, env: Environment): string =>
  [
    '',
    '  Parley is running.',
    '',
    row('Open', url),
    ...(isOn(env.PARLEY_DEMO)
      ? [row('Try', 'be Ana Ribeiro in one window and Bo Lindqvist in a private one, and talk')]
      : [row('Enter', 'npm run token -- <user id>  makes a link that signs in')]),
    row('API', `${url}/api/docs`),
    row('Stop', 'Ctrl-C'),
    '',
  ].join('\n');

type Failure = Error & { code?: string; port?: number; address?: string; problems?: string[] };

/** The text shown when the server does not start; undefined for an error that needs its stack. */
export const explain = (error: unknown, env: Environment): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, port, address, problems, message } = error as Failure;
  const wanted = Number(port ?? env.PORT ?? 8800);
  if (code === 'EADDRINUSE')
    return `Port ${wanted} is taken by another program, perhaps by another Parley. Stop that one, or set PORT: PORT=${wanted + 1} npm start`;
  if (code === 'EACCES' && port !== undefined)
    return `Port ${wanted} may not be used without more rights. Set PORT to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${env.HOST ?? address ?? ''}: set HOST to one of its own, or to 127.0.0.1.`;
  return problems ? message : undefined;
};
