import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { textFont } from './font/text-font.ts';

const server = 'http://127.0.0.1:8800';

const chunkOf = (id: string): string | undefined => {
  if (/node_modules\/(react|react-dom|scheduler)\//.test(id)) return 'react';
  if (/node_modules\/@tanstack\//.test(id)) return 'router';
  return undefined;
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), textFont()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2024',
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: chunkOf }] } },
    },
  },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/files': { target: server },
    },
  },
});
