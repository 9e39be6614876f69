import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWhole } from '../lib/create-whole.ts';

const beatMs = 1_000;
const silentMs = 15_000;

/** Runs `work` while no other process works on the same lock file; a lock left by a killed process is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const release = await takeLock(path);
  try {
    return await work();
  } finally {
    release();
  }
}

async function takeLock(path: string): Promise<() => void> {
  const id = `${process.pid} ${randomBytes(8).toString('hex')}`;
  const watched = { text: '', beat: 0, since: 0 };
  while (!createWhole(path, id)) {
    const seen = readLock(path);
    if (seen === undefined) continue;
    if (seen.text !== watched.text || seen.beat !== watched.beat) {
      Object.assign(watched, seen, { since: performance.now() });
    }
    const silent = performance.now() - watched.since > silentMs;
    if (silent || !isAlive(Number.parseInt(seen.text, 10))) breakLock(path, seen.text);
    else await sleep(25);
  }
  const timer = setInterval(() => beat(path), beatMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (readLock(path)?.text === id) rmSync(path, { force: true });
  };
}

// Another waiter may have broken the lock and taken it in between: what was moved is then put back.
function breakLock(path: string, stale: string): void {
  const aside = `${path}.${process.pid}-${randomBytes(8).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  try {
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function readLock(path: string): { text: string; beat: number } | undefined {
  try {
    return { text: readFileSync(path, 'utf8'), beat: statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

function beat(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Taken over after a long silence; the release notices by the id.
  }
}

/** Notes this process as a user of the database; the returned function removes the note. */
export function joinUsers(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}`);
  writeFileSync(path, '');
  return () => rmSync(path, { force: true });
}

/** Whether any living process is noted as a user. */
export function hasUsers(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => isAlive(Number.parseInt(name, 10)));
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
