import { expect, test } from 'vitest';
import { checkVersion, migrationRefused, StartError } from './await-database.ts';

test('W1 a PostgreSQL that is too old is named', () => {
  expect(() => checkVersion(140_011)).toThrow('The database is PostgreSQL 14: Parley needs 15 or newer.');
  expect(() => checkVersion(150_000)).not.toThrow();
});

test('W1 an error of PostgreSQL during a migration is shown without a password; a fault of the server stays one', () => {
  const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
  const refused = migrationRefused(full, 'postgres://ana:word@db.example:5432/chat');

  expect(refused).toBeInstanceOf(StartError);
  expect(String(refused)).toContain(
    'The database at db.example:5432/chat could not be brought up to date: could not extend file',
  );
  const ours = new TypeError('ours');
  expect(migrationRefused(ours, undefined)).toBe(ours);
});
