import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const source = join(import.meta.dirname, 'src/early/early.ts');

/** One file without imports: a chunk that it shared with the app would have to be loaded first. */
const makeScript = async (): Promise<string> => {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2024',
      rolldownOptions: { input: source, output: { format: 'iife' } },
    },
  });
  const outputs = [made].flat().flatMap((one) => ('output' in one ? one.output : []));
  const chunk = outputs.find((part) => part.type === 'chunk');
  if (chunk === undefined) throw new Error(`${source} could not be built`);
  return chunk.code;
};

/**
 * Puts the early script at the head of the page, before the styles: it asks for the token and the first screen while the app is
 * loaded, shows the page that was kept, and then runs the app, which the page only fetches. The server writes its settings before it.
 * The name of the app's entry goes with it, which changes with every build.
 */
export const earlyScript = (): Plugin => ({
  name: 'early-script',
  apply: 'build',
  async generateBundle() {
    this.emitFile({ type: 'asset', name: 'early.js', source: await makeScript() });
  },
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const parts = Object.values(bundle);
      const entry = parts.find((part) => part.type === 'chunk' && part.isEntry);
      const early = parts.find((part) => part.type === 'asset' && part.names.includes('early.js'));
      if (!entry || !early) return [];
      const run = `<script type="module" crossorigin src="/${entry.fileName}"></script>`;
      if (!html.includes(run)) throw new Error('The page does not run the app as expected');
      const attrs = { src: `/${early.fileName}`, 'data-app': entry.fileName };
      return {
        html: html.replace(run, `<link rel="modulepreload" crossorigin href="/${entry.fileName}">`),
        tags: [{ tag: 'script', injectTo: 'head-prepend' as const, attrs }],
      };
    },
  },
});
