export { createTokens } from './auth/tokens.ts';
export { type Config, ConfigError, readConfig, withEnvFile } from './config/config.ts';
export { startEmbeddedPostgres } from './db/embedded.ts';
export { migrate } from './db/migrate.ts';
export { createPools } from './db/pool.ts';
export { type Clock, systemClock } from './lib/clock.ts';
export { run } from './main.ts';
export { type Overrides, type ParleyServer, startServer } from './server.ts';
export { type ByteRange, type Storage, StorageError } from './storage/storage.ts';
