import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { aptGet, isExecutable, isRoot } from './apt.ts';

export type Browser = { executablePath: string; args: string[] };
export type MissingBrowser = { missing: string };

const installLimitMs = 300_000;
const headlessShell = 'chromium-headless-shell';
const fonts = [
  { name: 'fonts-noto-color-emoji', file: '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf' },
  { name: 'fonts-dejavu-core', file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
];

/** Finds a Chromium on this machine: PARLEY_CHROMIUM, the system's, or the one Playwright downloaded. */
export async function findBrowser(): Promise<Browser | MissingBrowser> {
  const chosen = process.env.PARLEY_CHROMIUM;
  if (chosen !== undefined && chosen !== '') {
    if (await isExecutable(chosen)) return { executablePath: chosen, args: browserArgs() };
    return { missing: `PARLEY_CHROMIUM names ${chosen}, which cannot be run.` };
  }
  for (const path of [...systemPaths(), ...(await playwrightPaths())]) {
    if (await isExecutable(path)) return { executablePath: path, args: browserArgs() };
  }
  return { missing: 'No Chromium or Chrome was found. Install one, or name it in PARLEY_CHROMIUM.' };
}

/**
 * Like findBrowser, but as root on Debian or Ubuntu it installs Chromium first where there is none, and the fonts that the
 * journeys look at.
 */
export async function ensureBrowser(): Promise<Browser | MissingBrowser> {
  const found = await findBrowser();
  if ((process.env.PARLEY_CHROMIUM ?? '') !== '') return found;
  const isMissing = 'missing' in found;
  const wanted = fonts.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
  if ((!isMissing && wanted.length === 0) || !isRoot() || !(await isExecutable('/usr/bin/apt-get')))
    return found;

  const end = AbortSignal.timeout(installLimitMs);
  // A failed update is no reason to stop: the lists may be good enough.
  await aptGet(['update'], end);
  const install = (...names: string[]) =>
    aptGet(['install', '-y', '--no-install-recommends', ...names, ...wanted], end);
  if (!isMissing) {
    await install();
    return found;
  }
  // Older releases have no package for the shell alone.
  const problem = (await install(headlessShell)) && (await install('chromium'));
  const installed = await findBrowser();
  if ('executablePath' in installed || problem === undefined) return installed;
  return { missing: `${found.missing} Installing it with apt-get failed: ${problem}` };
}

/**
 * The last `--disable-features` counts, so the list begins with what Playwright switches off itself
 * (tests/integration/browser-features.test.ts compares). The rest are the pages of the address bar: Chromium opens
 * two of them in a process of their own for each new window, headless too, which cost as much as our app itself.
 */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
];

function browserArgs(): string[] {
  return [
    `--disable-features=${featuresOff.join(',')}`,
    ...(isRoot() ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
}

function systemPaths(): string[] {
  if (process.platform === 'darwin') {
    const bundles = [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ];
    const folders = ['/Applications', join(homedir(), 'Applications')];
    return bundles.flatMap((bundle) => folders.map((folder) => join(folder, bundle)));
  }
  if (process.platform === 'win32') {
    const { PROGRAMFILES, LOCALAPPDATA } = process.env;
    const folders = [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA];
    const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
    return programs.flatMap((program) =>
      folders.flatMap((folder) => (folder ? [join(folder, program)] : [])),
    );
  }
  // The shell is the same engine without the windows of a desktop: a journey takes 15 % less processor time in it.
  const names = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return names.map((name) => join('/usr/bin', name));
}

async function playwrightPaths(): Promise<string[]> {
  const root = playwrightCache();
  const names = await readdir(root).catch(() => []);
  const revision = (name: string) => Number(name.split('-').at(-1));
  const folders = names
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((one, other) => revision(other) - revision(one));
  return folders.flatMap((folder) => playwrightLayouts.map((layout) => join(root, folder, layout)));
}

const playwrightLayouts = [
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-win64/chrome.exe',
  'chrome-win/chrome.exe',
  ...['chrome-mac-arm64', 'chrome-mac-x64', 'chrome-mac'].flatMap((folder) => [
    `${folder}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
    `${folder}/Chromium.app/Contents/MacOS/Chromium`,
  ]),
];

function playwrightCache(): string {
  const { PLAYWRIGHT_BROWSERS_PATH, LOCALAPPDATA } = process.env;
  if (PLAYWRIGHT_BROWSERS_PATH && PLAYWRIGHT_BROWSERS_PATH !== '0') return PLAYWRIGHT_BROWSERS_PATH;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ms-playwright');
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? homedir(), 'ms-playwright');
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ms-playwright');
}
