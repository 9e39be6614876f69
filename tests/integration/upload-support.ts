import { readdir } from 'node:fs/promises';
import type { ErrorBody, Upload } from '@parley/protocol';
import type { TestChat } from '@parley/testkit';

export type Sent = { status: number; body: Upload & ErrorBody };

/** Uploads by plain HTTP, as any program would. */
export const uploaderOf = async (chat: TestChat, userId: string | undefined) => {
  const caller = await chat.as(userId);
  const token = userId === undefined ? undefined : await chat.token(userId);
  const send = async (path: string, form: FormData): Promise<Sent> => {
    const headers: Record<string, string> = { 'x-api-key': chat.apiKey };
    if (token !== undefined) headers.authorization = token;
    const response = await fetch(`${chat.baseUrl}${path}`, { method: 'POST', headers, body: form });
    return { status: response.status, body: (await response.json()) as Sent['body'] };
  };
  return {
    caller,
    token,
    send,
    /** Any content under any name. */
    upload: (path: string, content: BlobPart, name = 'a.txt', fields: Record<string, string> = {}) => {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, value);
      form.append('file', new Blob([content]), name);
      return send(path, form);
    },
  };
};
export type Uploader = Awaited<ReturnType<typeof uploaderOf>>;

/** A file as a browser loads it: by a URL alone. */
export const load = (chat: TestChat, url: string, headers: Record<string, string> = {}) =>
  fetch(new URL(url, chat.url), { headers });

/** The URL with a signature of the uploader's, or undefined when they may not read it. */
export const signed = async ({ caller }: Uploader, url: string): Promise<string | undefined> =>
  (await caller.call('POST /uploads/sign', { body: { urls: [url] } })).urls[url];

/** Every file below a folder. */
export const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

export const storedFiles = async (chat: TestChat): Promise<number> => {
  const { rows } = await chat.server.kernel.pools.pool.query<{ n: number }>(
    'select count(*)::int as n from files',
  );
  return rows[0]?.n ?? -1;
};
