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

/** `name=value` pairs, escaped as in a URL. They may hold a secret, so no value is repeated in an error. */
const readHeaders = ({ list, problems }: Reader): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const pair of list('OTEL_EXPORTER_OTLP_HEADERS') ?? []) {
    const [, name, value] = /^([\w-]+)\s*=\s*([^\s]+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      problems.push('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, comma-separated');
    else headers[name.toLowerCase()] = decodeURIComponent(value);
  }
  return headers;
};

const readRatio = ({ text, problems }: Reader): number => {
  const given = text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = Number(given);
  if (ratio >= 0 && ratio <= 1) return ratio;
  problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${given}"`);
  return 1;
};

export const readObservingConfig = (read: Reader, port: number): ObservingConfig => {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
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
