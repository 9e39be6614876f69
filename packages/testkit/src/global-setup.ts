import { startTestPostgres } from './databases.ts';

/** The function for Vitest's `globalSetup`: it starts one PostgreSQL for the whole run. Vitest calls it by its name `setup`. */
export const setup = async (): Promise<() => Promise<void>> => {
  const { adminUrl, stop } = await startTestPostgres();
  process.env.PARLEY_TEST_PG = adminUrl;
  return stop;
};
