import { readConfig, withEnvFile } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { StartError } from './db/await-database.ts';
import { type ParleyServer, startServer } from './server.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the server from the environment and ends it on SIGINT, SIGTERM or SIGHUP. */
export const run = async (env: Record<string, string | undefined>): Promise<ParleyServer> => {
  const config = readConfig(withEnvFile(env, '.env'));
  for (const line of config.warnings) process.stderr.write(`Warning: ${line}\n`);
  let server: ParleyServer | undefined;
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    // Everything that was started so far ends with the process: nothing has been answered yet.
    if (!server) process.exit(0);
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // The handlers come before the start: without one a signal would end this process alone, and the embedded database would live on.
  // They stay: a supervisor may signal every process and the parent pass it on; the second must not cut the first short.
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  // The terminal was closed.
  process.on('SIGHUP', end);
  server = await startServer(config);
  if (config.secretIsNew) {
    say(`API key    ${config.apiKey}`);
    say(`API secret ${config.apiSecret}   (shown once; kept in the data folder)`);
  }
  say(`parley listening on ${server.url}`);
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
