import { nearMiss } from '../lib/near-miss.ts';

/** Every variable of the server, as docs/configuration.md lists them. */
const variables = [
  ...['PORT', 'HOST', 'DATABASE_URL', 'STORAGE_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  'DATABASE_REPLICA_URLS',
  ...['BUS_URL', 'BUS_CA_FILE', 'BUS_CREDENTIALS_FILE'],
  ...['PARLEY_DRAIN_READY_MS', 'PARLEY_DRAIN_RECONNECT_MS'],
  ...['PARLEY_SERVER_NAME', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ...['OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER_ARG'],
  ...['PUBLIC_URL', 'CORS_ORIGINS', 'TRUST_PROXY', 'LOG_LEVEL', 'NODE_ENV'],
  ...['PARLEY_DATA', 'PARLEY_API_KEY', 'PARLEY_API_SECRET', 'PARLEY_DEMO', 'PARLEY_SIGN_IN_URL'],
  ...['PARLEY_RATE_LIMITS', 'PARLEY_SOCKETS_PER_USER', 'PARLEY_SOCKETS_PER_ADDRESS'],
  ...['PARLEY_DATABASE_WAIT_SECONDS', 'PARLEY_MAP_TILES', 'PARLEY_MAP_ATTRIBUTION', 'PARLEY_PREVIEW_HOSTS'],
  ...['PARLEY_UPLOAD_BYTES', 'PARLEY_UPLOAD_FILES', 'PARLEY_UPLOAD_USER_BYTES', 'PARLEY_UPLOAD_PIXELS'],
  ...['PARLEY_UPLOAD_IMAGE_SECONDS', 'PARLEY_UPLOAD_BLOCKED', 'PARLEY_UPLOAD_ORPHAN_HOURS'],
];

/** Variables of the tests and tools, which may be set in the environment of a server that they start. */
const toolVariables = /^PARLEY_(CHROMIUM|TRACE|WRITE_DOORS|UNHANDLED_ERRORS|(TEST|BROWSER|BENCH)_\w+)$/;

/** Variables that Kubernetes sets for a service of the name parley. */
const isServiceLink = (name: string, value: string | undefined): boolean =>
  /^PARLEY_(SERVICE_|PORT_)/.test(name) || value?.startsWith('tcp://') === true;

type Environment = Record<string, string | undefined>;

const hint = (name: string): string => {
  const meant = nearMiss(name, variables);
  return meant === undefined ? '' : `: did you mean ${meant}?`;
};

/** Variables with our prefix that nothing reads. A secret under a wrong name must not lead to one that is made up. */
export const unknownVariables = (env: Environment): string[] =>
  Object.entries(env)
    .filter(([name]) => name.startsWith('PARLEY_') && !variables.includes(name) && !toolVariables.test(name))
    .filter(([name, value]) => !isServiceLink(name, value))
    .map(([name]) => `${name} is not a variable of Parley${hint(name)}`);

/** Variables that look like a slip of ours. They may be another program's, so the start goes on. */
export const suspiciousVariables = (env: Environment): string[] =>
  Object.keys(env).flatMap((name) => {
    if (name.startsWith('PARLEY_') || variables.includes(name) || name.length < 8) return [];
    const meant = nearMiss(name, variables);
    // Where the right one is set, too, nothing is missing.
    if (meant === undefined || meant.length < 8 || env[meant] !== undefined) return [];
    return [`${name} is not a variable of Parley: did you mean ${meant}? It is not read`];
  });
