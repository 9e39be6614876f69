import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestChat } from '@parley/testkit';
import { API } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

type Manifest = {
  exports: Record<string, string | { types: string; default: string }>;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const names = ['protocol', 'client', 'react'];
// The folder is outside the repository, so that nothing of the workspace is found by looking upwards.
const product = mkdtempSync(join(tmpdir(), 'parley-product-'));
const inProduct = (...parts: string[]): string => join(product, ...parts);
const homeOf = (name: string): string => inProduct('node_modules/@parley', name);
const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(homeOf(name), 'package.json'), 'utf8'));
const filesOf = (name: string): string[] =>
  readdirSync(homeOf(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(homeOf(name).length + 1));

const run = (
  command: string,
  args: string[],
  cwd = product,
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', NODE_ENV: 'production' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
const ran = { code: 0, output: '' };
const tool = (name: string): string => join(root, 'node_modules/.bin', name);

const link = (dependency: string): void => {
  const target = inProduct('node_modules', dependency);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(join(root, 'node_modules', dependency)), target, 'junction');
};

beforeAll(async () => {
  const packed = await run(process.execPath, [join(root, 'scripts/pack.ts'), inProduct('tarballs')], root);
  expect(packed.code, packed.output).toBe(0);
  const tarballs = packed.output.split('\n').filter((line) => line.endsWith('.tgz'));
  expect(tarballs).toHaveLength(names.length);
  for (const [index, name] of names.entries()) {
    mkdirSync(homeOf(name), { recursive: true });
    const args = ['-xzf', tarballs[index] ?? '', '-C', homeOf(name), '--strip-components=1'];
    expect(await run('tar', args)).toEqual(ran);
  }
  const wanted = names
    .map(manifestOf)
    .flatMap(({ dependencies, peerDependencies }) => Object.keys({ ...dependencies, ...peerDependencies }));
  const types = ['@types/react', '@types/react-dom'];
  for (const name of [...wanted, ...types]) if (!name.startsWith('@parley/')) link(name);
  writeFileSync(inProduct('package.json'), '{ "name": "product", "type": "module" }');
});
afterAll(() => rmSync(product, { recursive: true, force: true }));

test.each(names)(
  'W1 the tarball of %s holds what is built, with its licence and what to read, and nothing else',
  (name) => {
    const files = filesOf(name);
    const { exports } = manifestOf(name);

    expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']));
    expect(files.filter((file) => /test|tsconfig|(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
    for (const entry of Object.values(exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    ))
      expect(files).toContain(entry.slice(2));
  },
);

test.each(['client', 'react'])('W1 the README of %s names every entry of the package', (name) => {
  const readme = readFileSync(join(homeOf(name), 'README.md'), 'utf8');
  const entries = Object.keys(manifestOf(name).exports).filter((entry) => /^\.\/[\w-]+$/.test(entry));

  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter((entry) => !new RegExp(`/${entry.slice(2)}[\`']`).test(readme))).toEqual([]);
});

test.each(names)('W1 the imports of the files of %s are in its tarball or among its dependencies', (name) => {
  const files = new Set(filesOf(name));
  const { dependencies, peerDependencies } = manifestOf(name);
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  const strangers: string[] = [];
  for (const file of [...files].filter((path) => /(\.js|[^s]\.d\.ts)$/.test(path))) {
    const text = readFileSync(join(homeOf(name), file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)';$/gm)) {
      const path = join(dirname(file), specifier);
      const found = specifier.startsWith('.')
        ? files.has(path) && (file.endsWith('.js') || files.has(path.replace(/\.js$/, '.d.ts')))
        : known.some((dependency) => specifier === dependency || specifier.startsWith(`${dependency}/`));
      if (!found) strangers.push(`${file}: ${specifier}`);
    }
  }

  expect(strangers).toEqual([]);
});

/** Every Node from 20 on that this machine has, the one that runs the tests among them. */
const nodes = async (): Promise<string[]> => {
  const named = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const found = [process.execPath, ...named]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  const answers = await Promise.all(
    [...new Set(found)].map(async (path) => ({ path, ...(await run(path, ['-v'])) })),
  );
  return answers.filter(({ output }) => Number(/^v(\d+)/.exec(output)?.[1]) >= 20).map(({ path }) => path);
};

test('W1 a program in an empty project talks to a server, and every entry can be imported', async () => {
  await using chat = await createTestChat({ users: ['ana'] });
  const entries = ['protocol', 'client'].flatMap((name) =>
    Object.keys(manifestOf(name).exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => `@parley/${name}${entry.slice(1)}`),
  );
  writeFileSync(
    inProduct('program.js'),
    `import { createClient } from '@parley/client';
import { createAdminClient } from '@parley/client/admin';
for (const entry of ${JSON.stringify(entries)}) await import(entry);
const { apiKey, secret, baseUrl } = JSON.parse(process.argv[2]);
const admin = createAdminClient({ apiKey, secret, baseUrl });
await admin.channels.create('team', 'general', { created_by_id: 'ana', members: ['ana'] });
const client = createClient({ apiKey, baseUrl });
await client.connectUser({ id: 'ana' }, () => admin.createToken('ana', Math.floor(Date.now() / 1000) + 3600));
const cid = await client.channels.open('team', 'general');
const { id } = await client.messages.send(cid, { text: 'packed' });
console.log((await admin.messages.get(id)).text);
await client.disconnect();
`,
  );
  const { apiKey, secret, baseUrl } = chat;

  for (const node of await nodes())
    expect(await run(node, ['program.js', JSON.stringify({ apiKey, secret, baseUrl })]), node).toEqual({
      code: 0,
      output: 'packed\n',
    });
});

const page = `import { createClient, type Message } from '@parley/client';
import { createAdminClient } from '@parley/client/admin';
import { ChatProvider, Conversation } from '@parley/react';
import { createRoot } from 'react-dom/client';
import '@parley/react/theme.css';

declare module '@parley/protocol' {
  interface CustomMessage {
    mood?: string;
  }
}

export const createToken = (secret: string): Promise<string> =>
  createAdminClient({ apiKey: 'key', secret, baseUrl: 'https://chat.example.com/api' }).createToken('ana');
const client = createClient({ apiKey: 'key', baseUrl: 'https://chat.example.com/api' });
await client.connectUser({ id: 'ana', name: 'Ana' }, async () => 'token');
const sent: Message = await client.messages.send('team:general', { text: 'Hello', mood: 'glad' });
export const mood: string | undefined = sent.mood;
// @ts-expect-error: a number is no text
await client.messages.send('team:general', { text: 5 });
// @ts-expect-error: there is no such call
client.messages.shout();
createRoot(document.body).render(
  <ChatProvider client={client}>
    <Conversation cid="team:general" />
  </ChatProvider>,
);
`;

test.each([
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
])(
  'W1 a strict compiler finds the types of every entry, with the resolution %s',
  async (moduleResolution, module) => {
    const imports = names.flatMap((name) =>
      Object.keys(manifestOf(name).exports)
        .filter((entry) => !/\.(json|css)$/.test(entry))
        .map(
          (entry, index) =>
            `import * as ${name}${index} from '@parley/${name}${entry.slice(1)}';\nvoid ${name}${index};`,
        ),
    );
    writeFileSync(inProduct('page.tsx'), page);
    writeFileSync(inProduct('entries.ts'), imports.join('\n'));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      types: [],
      module,
      moduleResolution,
      skipLibCheck: true,
    };
    writeFileSync(
      inProduct('tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }),
    );

    expect(await run(tool('tsc'), ['-p', product, '--pretty', 'false'])).toEqual(ran);
  },
);

test('W1 the editor shows the description of a property wherever a product meets it', () => {
  const code = `import type { EventOf, Message, ReplyOf } from '@parley/protocol';
declare const message: Message;
declare const event: EventOf<'notification.mark_read'>;
declare const reply: ReplyOf<'POST /drafts/query'>;
export const asked = [message.text, message.poll?.vote_count, event.thread_id, reply.next, reply.drafts[0]?.version];
`;
  writeFileSync(inProduct('hover.ts'), code);
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    types: [],
    lib: ['es2023'],
    skipLibCheck: true,
  };
  writeFileSync(inProduct('tsconfig.hover.json'), JSON.stringify({ compilerOptions, files: ['hover.ts'] }));
  const api = new API({ cwd: product });
  onTestFinished(() => api.close());
  const snapshot = api.updateSnapshot({ openProjects: [inProduct('tsconfig.hover.json')] });
  const checker = snapshot.getProject(inProduct('tsconfig.hover.json'))?.checker;
  const shown = (access: string): string | undefined => {
    const end = code.lastIndexOf(access) + access.length - 1;
    return checker?.getSymbolAtPosition(inProduct('hover.ts'), end)?.getDocumentationComment(checker);
  };

  expect(shown('message.text')).toBe('The text of the message, in Markdown.');
  expect(shown('vote_count')).toBe('The number of votes.');
  expect(shown('event.thread_id')).toBe('The thread that was read.');
  expect(shown('reply.next')).toBe('Pass it as `next` to get the following page; absent on the last page.');
  expect(shown('version')).toBe('Grows with every write and never repeats.');
});

test('W1 every property of a schema has its description in the declarations of the protocol', () => {
  // The parts of a call and the names of events are described by the reference, not one by one.
  const part = /^\s*(?:readonly (?:path|query|body|form|reply)|'[a-z_.]+')\??: /;
  const property = /^\s+(?:readonly )?(?:'[^']+'|\w+)\??: (?:Type\.)?T[A-Z]\w+[;<]/;
  const declarations = filesOf('protocol').filter((file) => file.endsWith('.d.ts'));
  const bare = declarations.flatMap((file) => {
    const lines = readFileSync(join(homeOf('protocol'), file), 'utf8').split('\n');
    return lines
      .filter((line, at) => property.test(line) && !part.test(line) && !lines[at - 1]?.endsWith('*/'))
      .map((line) => `${file}: ${line.trim()}`);
  });

  expect(declarations.length).toBeGreaterThan(20);
  expect(bare).toEqual([]);
});

/** Names that the examples leave to the product. */
const given = `declare const apiKey: string;
declare const secret: string;
declare const fetchTokenFromYourServer: () => Promise<string>;
declare const putIntoYourStore: (
  file: Blob,
  by: { signal: AbortSignal; onProgress: (done: number) => void },
) => Promise<{ url: string }>;
`;
const client = `declare const client: import('@parley/client').ParleyClient;\n`;
const provider = `import { ChatProvider } from '@parley/react';\n`;

test('W1 the examples of the documents compile as they stand', async () => {
  const documents = ['README.md', ...names.map((name) => `packages/${name}/README.md`)];
  const examples = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)]
      .map(([, code = '']) => code)
      // The testkit is for clones of the repository and is not packed.
      .filter((code) => !code.includes('createTestChat')),
  );
  expect(examples.length).toBeGreaterThan(5);
  mkdirSync(inProduct('examples'), { recursive: true });
  for (const [index, code] of examples.entries()) {
    const needs = [
      given,
      /client[,=}]|client\./.test(code) && !/const client\b/.test(code) ? client : '',
      code.includes('<ChatProvider') && !/import .*ChatProvider/.test(code) ? provider : '',
    ];
    writeFileSync(inProduct('examples', `${index}.tsx`), `${needs.join('')}${code}\nexport {};\n`);
  }
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
    ...{ jsx: 'react-jsx', types: [], module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true },
  };
  writeFileSync(
    inProduct('examples', 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.tsx'] }),
  );

  expect(await run(tool('tsc'), ['-p', inProduct('examples'), '--pretty', 'false'])).toEqual(ran);
});

test('W1 Vite builds a page with every entry of the kit, its styles among them', async () => {
  const entries = Object.keys(manifestOf('react').exports).filter((entry) => !entry.endsWith('.json'));
  writeFileSync(inProduct('page.tsx'), page);
  writeFileSync(
    inProduct('kit.ts'),
    entries.map((entry, index) => `export * as e${index} from '@parley/react${entry.slice(1)}';`).join('\n'),
  );
  writeFileSync(
    inProduct('index.html'),
    '<!doctype html><script type="module">import "./page.tsx"; import "./kit.ts";</script>',
  );

  const built = await run(tool('vite'), ['build', '--outDir', 'out', '--logLevel', 'error']);

  expect(built.code, built.output).toBe(0);
  const sheets = readdirSync(inProduct('out/assets')).filter((name) => name.endsWith('.css'));
  const styles = sheets.map((name) => readFileSync(inProduct('out/assets', name), 'utf8')).join('');
  // A class of a CSS module, and a value of the theme.
  expect([/\._avatar_\w+/, /--pl-canvas:/].filter((part) => !part.test(styles))).toEqual([]);
  // Whichever sheet a page loads first places the layers: tokens below base below components.
  const unplaced = sheets.filter(
    (name) => !readFileSync(inProduct('out/assets', name), 'utf8').startsWith('@layer parley.tokens'),
  );
  expect(unplaced).toEqual([]);
});
