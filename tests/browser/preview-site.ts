import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Site = { url: string; hits: string[]; stop(): Promise<void> };

const open = async (server: Server, port: number): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A site in the server's own network. Without a port it is not in the server's configuration. */
export const openSite = async (port = 0): Promise<Site> => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    hits.push(pathname);
    if (pathname === '/none') return response.writeHead(404).end();
    const picture = searchParams.get('picture');
    const name = decodeURIComponent(pathname.slice(1));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    return response.end(`<title>${name}</title><meta name="description" content="All there is to know of ${name}">
      <meta property="og:site_name" content="The Harbour Post">${picture ? `<meta property="og:image" content="${picture}">` : ''}`);
  });
  const url = await open(server, port);
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
  return { url, hits, stop };
};
