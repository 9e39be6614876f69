import { hostname } from 'node:os';
import type { TracingConfig } from '../lib/tracing.ts';

type Reader = {
  problems: string[];
  text(name: string): string | undefined;
  list(name: string): string[] | undefined;
  url(name: string, schemes: string[]): string | undefined;
};

export type ObservingConfig = {
  /** The name of this server among those of its deployment, in metrics and traces. */
  serverName: string;
  /** Where traces are sent; undefined: there are none. */
  tracing: TracingConfig | undefined;
};

const readServerName = ({ text, problems }: Reader, port: number): string => {
  const given = text('PARLEY_SERVER_NAME');
  if (given === undefined) return `${hostname()}:${port}`;
  if (!/^[\w.:-]{1,128}$/.test(given))
    problems.push('PARLEY_SERVER_NAME must be 1 to 128 of A–Z a–z 0–9 _ . : -');
  return given;
};

/** The value of a header; undefined for one that no request can carry: the error of such a request would repeat it. */
const readValue = (escaped: string): string | undefined => {
  try {
    const value = decodeURIComponent(escaped);
    return /^[\x20-\x7e\x80-\xff]*$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** `name=value` pairs, escaped as in a URL. They may hold a secret, so no value is repeated in an error. */
const readHeaders = ({ list, problems }: Reader): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const pair of list('OTEL_EXPORTER_OTLP_HEADERS') ?? []) {
    const [, name, escaped] = /^([\w-]+)\s*=\s*([^\s]+)$/.exec(pair) ?? [];
    const value = escaped === undefined ? undefined : readValue(escaped);
    if (name === undefined || value === undefined)
      problems.push('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, comma-separated');
    else headers[name.toLowerCase()] = value;
  }
  return headers;
};

/** A request to a URL with a password fails, and its error repeats the password. */
const readEndpoint = ({ url, problems }: Reader): string | undefined => {
  const given = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  if (
    given !== undefined &&
    !(URL.canParse(given) && new URL(given).username + new URL(given).password === '')
  )
    problems.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL without a name and a password: OTEL_EXPORTER_OTLP_HEADERS holds them',
    );
  return given;
};

const readRatio = ({ text, problems }: Reader): number => {
  const given = text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = Number(given);
  if (ratio >= 0 && ratio <= 1) return ratio;
  problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${given}"`);
  return 1;
};

export const readObservingConfig = (read: Reader, port: number): ObservingConfig => {
  const endpoint = readEndpoint(read);
  const headers = readHeaders(read);
  const ratio = readRatio(read);
  return {
    serverName: readServerName(read, port),
    tracing:
      endpoint === undefined
        ? undefined
        : {
            url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
            headers,
            ratio,
            service: read.text('OTEL_SERVICE_NAME') ?? 'parley',
          },
  };
};
