import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, readConfig } from '@parley/server';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** knip reads YAML: its parser is installed. */
const parser = createRequire(join(root, 'node_modules/knip/package.json')).resolve('yaml');
const { parseAllDocuments }: { parseAllDocuments(text: string): { errors: Error[]; toJS(): unknown }[] } =
  await import(pathToFileURL(parser).href);

type Tree = { [key: string]: Tree } & Tree[] & string;
const parseYaml = (path: string): Tree[] =>
  parseAllDocuments(read(path)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Tree;
  });

const documented = new Set(
  [...read('docs/configuration.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
);
/** Programs that check a file are asked where they are there. */
const isInstalled = (program: string, option: string): boolean => spawnSync(program, [option]).status === 0;

const secrets = { PARLEY_API_KEY: 'key', PARLEY_API_SECRET: 'x'.repeat(32) };

/** The server takes these variables as they are. */
const expectKnown = (given: Record<string, string>): void => {
  expect(Object.keys(given).filter((name) => !documented.has(name))).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'parley-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const problems = (() => {
    try {
      return readConfig({ ...given, PARLEY_DATA: folder, ...secrets }).warnings;
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [String(error)];
    }
  })();
  expect(problems).toEqual([]);
};

const entries = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\b([A-Z][A-Z_0-9]+)=(\S*)/g)].map(([, name, value]) => [name, value]),
  );
const settingsIn = (text: string): Record<string, string> =>
  entries(
    text
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .join('\n'),
  );

test('W4 the Dockerfile copies what is there, runs as a user who is not root, and sets variables that the server knows', () => {
  const stages = read('deploy/Dockerfile').split(/^FROM /m);
  const last = stages.at(-1) ?? '';
  const copied = [...last.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path = '']) => path);
  const made = ['apps/web/dist'];

  expect(copied.length).toBeGreaterThan(3);
  expect(copied.filter((path) => !made.includes(path) && !existsSync(join(root, path)))).toEqual([]);
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last).toMatch(/^CMD \["node", "packages\/server\/dist\/index\.js"\]$/m);
  expectKnown(entries(/^ENV (.*)$/m.exec(last)?.[1] ?? ''));
  for (const script of read('deploy/Dockerfile').match(/scripts\/[\w-]+\.ts/g) ?? [])
    expect(existsSync(join(root, script)), script).toBe(true);
});

test('W4 the compose file gives the servers variables that they know, and is read-only but for /tmp and the data', () => {
  const [compose] = parseYaml('deploy/compose.yaml');
  const { parley, proxy, database, bus, store } = compose?.services ?? ({} as Tree);
  const given = Object.entries(parley?.environment ?? {}).map(([name, value]) => [
    name,
    String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, from) =>
      from === 'PUBLIC_URL' ? 'https://a.example' : 'x',
    ),
  ]);

  expectKnown(Object.fromEntries(given));
  expect(parley).toMatchObject({ read_only: true, tmpfs: ['/tmp'], deploy: { replicas: 3 } });
  for (const service of [proxy, database, bus, store]) expect(service?.image).toMatch(/\w/);
  const published = Object.entries(compose?.services ?? {}).filter(([, { ports }]) => ports !== undefined);
  expect(published.map(([name]) => name)).toEqual(['proxy']);
  expect(proxy?.ports?.map(String)).toEqual([expect.stringMatching(/^\$\{\w+:-127\.0\.0\.1\}:/)]);
  for (const path of ['.gitignore', '.dockerignore'])
    expect(read(path).split('\n')).toContain('deploy/compose.env');
  expect([proxy, database, bus, store].map((service) => service?.networks)).toEqual([
    ['front'],
    ...Array(3).fill(['back']),
  ]);
  expect(compose?.networks?.back).toEqual({ internal: true });
  const needed = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const example = settingsIn(read('deploy/compose.env.example'));
  expect(needed.filter((name) => !(name !== undefined && name in example))).toEqual([]);
  expect(read('deploy/haproxy.cfg')).toContain('option httpchk GET /readyz');
  if (isInstalled('haproxy', '-v')) execFileSync('haproxy', ['-c', '-f', join(root, 'deploy/haproxy.cfg')]);
});

test('W4 the manifests have probes on paths of the server, a disruption budget, and variables that the server knows', () => {
  const documents = parseYaml('deploy/kubernetes/parley.yaml');
  const kind = (name: string) => documents.find((one) => one.kind === name);
  const pod = kind('Deployment')?.spec?.template?.spec;
  const container = pod?.containers?.[0];

  expect(container?.readinessProbe?.httpGet?.path).toBe('/readyz');
  for (const probe of [container?.livenessProbe, container?.startupProbe])
    expect(probe?.httpGet?.path).toBe('/healthz');
  expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
  expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(kind('PodDisruptionBudget')?.spec?.maxUnavailable).toBe(1);
  expectKnown({ ...(kind('ConfigMap')?.data as unknown as Record<string, string>) });
  const names = (container?.env ?? []).map(({ name }) => String(name));
  const literals = [...read('deploy/kubernetes/parley.yaml').matchAll(/--from-literal=([A-Z_]+)=/g)];
  for (const name of [...names, ...literals.map(([, name]) => String(name))])
    expect(documented.has(name), name).toBe(true);
});

test('W4 the units of systemd are valid and set variables that the server knows', () => {
  const unit = read('deploy/systemd/parley@.service');
  const settings = settingsIn(read('deploy/systemd/parley.env.example'));
  expectKnown(settings);
  expect(new URL(settings.DATABASE_URL ?? '').password).toBe('');
  expectKnown(entries(/^Environment=(.*)$/m.exec(unit)?.[1]?.replaceAll('%i', '8811') ?? ''));
  if (!isInstalled('systemd-analyze', '--version')) return;
  const folder = mkdtempSync(join(tmpdir(), 'parley-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The program of the unit need not be at that place here.
  writeFileSync(join(folder, 'parley@8811.service'), unit.replace('/usr/bin/node', process.execPath));
  writeFileSync(join(folder, 'parley.target'), read('deploy/systemd/parley.target'));
  const { stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', join(folder, 'parley@8811.service')],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr.split('\n').filter((line) => line.includes('parley'))).toEqual([]);
});
