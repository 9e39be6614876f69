// Plain JavaScript without dependencies: it runs before anything is installed, on any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.parley-lock');
const pinnedNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('Usage: node scripts/bootstrap.mjs <script.ts> [arguments]');
if (!isAtLeast(20, 0)) fail(`Parley needs Node.js 20 or newer; this is ${process.version}.`);
install();
run(pinnedNode);

function install() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  const platform = `${process.platform}-${process.arch}`;
  const stamp = `${hash} ${platform}`;
  const found = readText(stampFile);
  if (existsSync(pinnedNode)) {
    if (found === stamp) return;
    const samePlatform = found === '' || found.endsWith(` ${platform}`);
    if (samePlatform && matchesLock(JSON.parse(String(lock)))) {
      writeFileSync(stampFile, stamp);
      return;
    }
  }
  // The stamp is deleted first and written last, so that an interrupted install is repeated.
  rmSync(stampFile, { force: true });
  console.log('Installing the packages Parley needs (once, about a minute) …');
  const { status, error } = npmCi();
  if (status !== 0) {
    const reason = error === undefined ? `npm ended with ${status}` : error.message;
    fail(
      `The packages could not be installed (${reason}); npm says why above. Then run the same command again.`,
    );
  }
  if (!existsSync(pinnedNode) && !isAtLeast(22, 18)) {
    fail(
      'npm ran without install scripts, so the Node.js that Parley installs is missing. Use Node.js 22.18 or newer.',
    );
  }
  writeFileSync(stampFile, stamp);
}

// npm writes its own list last of all: someone ran a complete `npm ci` or `npm install` by hand.
function matchesLock(lock) {
  const text = readText(join(modules, '.package-lock.json'));
  if (text === '') return false;
  const installed = JSON.parse(text).packages ?? {};
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link === true) return true;
    const found = installed[path];
    if (found === undefined)
      return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    return found.version === wanted.version;
  });
}

function npmCi() {
  // Without --include=dev a NODE_ENV=production would leave out the pinned Node.
  const ci = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath ?? '';
  const options = {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  };
  if (basename(cli) === 'npm-cli.js') return spawnSync(process.execPath, [cli, ...ci], options);
  return spawnSync('npm', ci, { ...options, shell: process.platform === 'win32' });
}

function run(node) {
  const child = spawn(node, [script, ...args], { cwd: root, stdio: 'inherit' });
  const forward = (signal) => {
    // A terminal sends Ctrl-C to the child too; a second one would read as "stop at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const stopWatching = watchParent(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    for (const signal of signals) process.off(signal, forward);
    stopWatching();
    // The pinned Node does not run everywhere (musl); the one we are on will do if it knows TypeScript.
    if (node !== process.execPath && isAtLeast(22, 18)) run(process.execPath);
    else fail(`${node} does not start (${error.message}). Use Node.js 22.18 or newer.`);
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, forward);
    stopWatching();
    if (signal !== null) process.kill(process.pid, signal);
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

// npm runs us in a shell. A signal to npm ends that shell, and not every shell passes it on: without a look at the parent
// the server would live on under pid 1. Who starts this file without npm may well leave it behind, and ends it by its pid.
function watchParent(onGone) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || parent <= 1) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 200);
  return () => clearInterval(timer);
}

function isAtLeast(major, minor) {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
