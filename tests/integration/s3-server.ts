import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@parley/server';
import S3rver from 's3rver';

/** A real S3-compatible server with one bucket. */
export const startS3 = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  const server = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory },
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await server.run();
  const storage: Config['storage'] = {
    ...{ kind: 's3', bucket: 'files', prefix: 'chat', region: 'us-east-1' },
    ...{ endpoint: `http://127.0.0.1:${port}`, accessKey: 'S3RVER', secretKey: 'S3RVER' },
  };
  return {
    storage,
    directory,
    close: () => server.close(),
    stop: async () => {
      await server.close().catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
