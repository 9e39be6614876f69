import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

const whenInputEnds = `
read -r _
for file in "$1"/pids/*; do kill -KILL "\${file##*/}"; done
kill -QUIT "$(head -n 1 "$1/data/pg/postmaster.pid")"
rm -rf "$1"`;

/** A shell that ends the servers, and the PostgreSQL in `data` of the folder, when this process is gone, however it ended: a test that is stopped
 * early runs none of its own cleaning. It also removes the folder. */
export const endWithThisProcess = (folder: string) => {
  const pids = join(folder, 'pids');
  mkdirSync(pids);
  const shell = spawn('sh', ['-c', whenInputEnds, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  return {
    add: ({ pid, exited }: ServerProcess): void => {
      const file = join(pids, String(pid));
      writeFileSync(file, '');
      // Another program may get the number of one that has ended.
      void exited.then(() => rmSync(file, { force: true }));
    },
    stop: async (): Promise<void> => {
      const ended = once(shell, 'exit');
      shell.stdin.end();
      await ended;
    },
  };
};
