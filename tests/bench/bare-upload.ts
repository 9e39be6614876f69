import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

// The limit of an upload: what comes is piped to a file and the disk is waited for. Nothing is parsed, checked or known of it.

const folder = process.argv[2] ?? '.';
let files = 0;

const server = createServer((request, response) => {
  const path = join(folder, `bare-${files++}`);
  const store = async () => {
    await pipeline(request, createWriteStream(path));
    const file = await open(path, 'r+');
    await file.datasync();
    await file.close();
  };
  store().then(
    () => response.writeHead(201).end('{}'),
    () => response.writeHead(500).end('{}'),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.once('disconnect', () => process.exit());
