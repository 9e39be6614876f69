import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sourceStamp } from './sources.ts';

const sources = ['apps/web', 'packages/client/src', 'packages/react/src', 'packages/protocol/src'];
/** The app cannot be built as it stands; the message holds what vite said. */
export class BuildFailed extends Error {}

const runVite = (web: string, outDir: string): Promise<void> => {
  const vite = join(
    createRequire(join(web, 'package.json')).resolve('vite/package.json'),
    '..',
    'bin',
    'vite.js',
  );
  const args = [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production' };
    const child = spawn(process.execPath, args, { cwd: web, stdio: ['ignore', 'pipe', 'pipe'], env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new BuildFailed(`The web app could not be built:\n\n${said.trim()}`));
    });
  });
};

const leastBytes = 1024;

/** Writes compressed twins beside what compresses well; the server sends them to whoever can read them. */
const compress = (folder: string): void => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg|json|webmanifest|txt)$/.test(name)) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (bytes.length < leastBytes) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
};

const readStamp = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Builds the web app where it is missing or older than its sources. */
export const buildWeb = async (
  root: string,
  log: (line: string) => void,
): Promise<'fresh' | 'built' | 'absent'> => {
  const web = join(root, 'apps/web');
  const dist = join(web, 'dist');
  const cache = join(root, '.cache');
  const stampFile = join(cache, 'web-build');
  if (!existsSync(join(web, 'index.html'))) return 'absent';
  const stamp = sourceStamp(root, sources);
  if (existsSync(join(dist, 'index.html')) && readStamp(stampFile) === stamp) return 'fresh';

  log('Building the web app …');
  mkdirSync(cache, { recursive: true });
  // The app is built aside first: a build that fails or is interrupted leaves the last good one in place.
  const aside = join(cache, `web-${process.pid}`);
  try {
    await runVite(web, aside);
    compress(aside);
    rmSync(stampFile, { force: true });
    rmSync(dist, { recursive: true, force: true });
    renameSync(aside, dist);
    writeFileSync(stampFile, stamp);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return 'built';
};
