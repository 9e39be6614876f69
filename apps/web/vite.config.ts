import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { createChunkNames } from './chunks.ts';
import { earlyScript } from './early-script.ts';
import { fetchChunks } from './fetch-chunks.ts';
import { textFont } from './font/text-font.ts';

const server = 'http://127.0.0.1:8800';

const chunks = createChunkNames();

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [fetchChunks(), react(), chunks.plugin, textFont(), earlyScript()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2024',
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: (id, graph) => chunks.nameOf(id, graph) }],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/files': { target: server },
    },
  },
});
