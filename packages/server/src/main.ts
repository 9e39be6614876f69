import { ConfigError, readConfig, withEnvFile } from './config/config.ts';
import { StartError } from './db/await-database.ts';
import { type ParleyServer, startServer } from './server.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the server from the environment and ends it on SIGINT, SIGTERM or SIGHUP. */
export const run = async (env: Record<string, string | undefined>): Promise<ParleyServer> => {
  const config = readConfig(withEnvFile(env, '.env'));
  for (const line of config.warnings) process.stderr.write(`Warning: ${line}\n`);
  const server = await startServer(config);
  if (config.secretIsNew) {
    say(`API key    ${config.apiKey}`);
    say(`API secret ${config.apiSecret}   (shown once; kept in the data folder)`);
  }
  say(`parley listening on ${server.url}`);
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // Not once: a supervisor may signal every process and the parent pass it on; the second must not cut the first short.
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  // The terminal was closed: without this the embedded database would live on.
  process.on('SIGHUP', end);
  return server;
};

if (import.meta.main) {
  run(process.env).catch((error: unknown) => {
    const text =
      error instanceof ConfigError || error instanceof StartError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}
