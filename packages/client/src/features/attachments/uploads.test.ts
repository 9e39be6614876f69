import type { Upload } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { expect, test, vi } from 'vitest';
import type { ParleyClient } from '../../client.ts';
import { NetworkError } from '../../http/network-error.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { selectProgress, selectSendRefusal } from './items.ts';
import { createRules } from './runner.ts';
import { sendByXhr } from './send-file.ts';
import type { UploadRequest } from './upload-file.ts';
import { createUploads, type UploadsOptions } from './uploads.ts';

const stored = (name: string): Upload => ({
  file: `/files/${name}`,
  name,
  mime_type: 'text/plain',
  file_size: 3,
});
const file = (name: string, bytes = 3) => new File(['x'.repeat(bytes)], name, { type: 'text/plain' });

type Sent = UploadRequest & { done(): void; fail(error: unknown): void };

/** A composer's uploads with a store that answers when the test says so. */
const open = (options: UploadsOptions = {}) => {
  const clock = createHandClock();
  const sent: Sent[] = [];
  let ids = 0;
  const environment = { clock, uuid: () => `id-${++ids}`, fetch: () => Promise.reject(new Error('no')) };
  const client = {
    http: { wire: { environment }, call: () => Promise.reject(new Error('no')) },
    connection: { get: () => ({ status: 'online' }), subscribe: () => () => undefined },
  } as unknown as ParleyClient;
  const uploads = createUploads(client, createRules(client.http), {
    upload: (request) =>
      new Promise((resolve, reject) => {
        sent.push({ ...request, done: () => resolve(stored(request.name)), fail: reject });
      }),
    ...options,
  });
  const states = () => uploads.get().items.map(({ name, state }) => `${name} ${state}`);
  return { clock, sent, uploads, states };
};

test('A2 pending, uploading, finished; a message waits until all have uploaded', async () => {
  const { sent, uploads, states } = open({ parallel: 1 });
  uploads.add([file('a'), file('b')]);
  await vi.waitFor(() => expect(sent).toHaveLength(1));

  expect(states()).toEqual(['a uploading', 'b pending']);
  expect(selectSendRefusal(uploads.get())).toBe('Wait until all attachments have uploaded');
  expect(() => uploads.take()).toThrow('Wait until all attachments have uploaded');
  sent[0]?.done();
  await vi.waitFor(() => expect(states()).toEqual(['a finished', 'b uploading']));
  sent[1]?.done();
  await vi.waitFor(() => expect(selectSendRefusal(uploads.get())).toBeUndefined());
  expect(uploads.take().map(({ asset_url }) => asset_url)).toEqual(['/files/a', '/files/b']);
});

test('A2 a failed upload says "Error uploading attachment" and can be tried again under the same id', async () => {
  const { sent, uploads, states } = open();
  uploads.add([file('a')]);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  sent[0]?.fail(new ParleyError('InputInvalid'));
  await vi.waitFor(() => expect(states()).toEqual(['a failed']));
  expect(uploads.get().items[0]?.notice).toBe('Error uploading attachment');
  uploads.retry('id-1');
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  sent[1]?.done();

  await vi.waitFor(() => expect(states()).toEqual(['a finished']));
  expect(sent.map(({ uploadId }) => uploadId)).toEqual(['id-1', 'id-1']);
  expect(uploads.get().items[0]?.notice).toBeUndefined();
});

test('A2 a blocked file says so and is not tried again', async () => {
  const { sent, uploads, states } = open();
  uploads.add([file('a')]);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  sent[0]?.fail(new ParleyError('MessageBlocked'));

  await vi.waitFor(() => expect(states()).toEqual(['a blocked']));
  expect(uploads.get().items[0]?.notice).toBe('The attachment upload was blocked');
  uploads.retry('id-1');
  expect([states(), sent.length]).toEqual([['a blocked'], 1]);
});

test('A1 a loss of network is waited out under the same id; after six tries it has failed', async () => {
  const { clock, sent, uploads, states } = open();
  uploads.add([file('a')]);
  for (let tries = 1; tries <= 6; tries++) {
    await vi.waitFor(() => expect(sent).toHaveLength(tries));
    expect(states()).toEqual(['a uploading']);
    sent.at(-1)?.fail(new NetworkError('gone'));
    await new Promise((resolve) => setTimeout(resolve));
    clock.advance(30_000);
  }

  await vi.waitFor(() => expect(states()).toEqual(['a failed']));
  expect(new Set(sent.map(({ uploadId }) => uploadId))).toEqual(new Set(['id-1']));
});

test('A1 progress is reported by bytes, and a cancelled upload is stopped and leaves', async () => {
  const { sent, uploads, states } = open();
  uploads.add([file('a', 100), file('b', 300)]);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  sent[0]?.onProgress(0.5);

  expect(selectProgress(uploads.get())).toBeCloseTo(0.125);
  uploads.delete('id-1');
  expect([states(), sent[0]?.signal.aborted, sent[1]?.signal.aborted]).toEqual([
    ['b uploading'],
    true,
    false,
  ]);
});

test('A1 ten files a message, each within the size; both can be set', async () => {
  const { sent, uploads, states } = open({ maxBytes: 10 });
  const names = Array.from({ length: 12 }, (_, at) => `f${at}`);

  const { refused } = uploads.add([file('large', 11), ...names.map((name) => file(name))]);

  expect(refused.map(({ name }) => name)).toEqual(['f9', 'f10', 'f11']);
  await vi.waitFor(() => expect(states()[0]).toBe('large failed'));
  expect(sent.every(({ name }) => name !== 'large')).toBe(true);
  expect(open({ maxFiles: 1 }).uploads.add([file('a'), file('b')]).refused).toHaveLength(1);
});

test('A1 files are put in another order, and the message carries them so', async () => {
  const { sent, uploads, states } = open();
  uploads.add([file('a'), file('b'), file('c')]);
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  for (const request of sent) request.done();
  await vi.waitFor(() => expect(states()).toHaveLength(3));
  uploads.move('id-3', 0);

  await vi.waitFor(() => expect(states()).toEqual(['c finished', 'a finished', 'b finished']));
  expect(uploads.take().map(({ title }) => title)).toEqual(['c', 'a', 'b']);
});

test('A1 a file that a draft or an edited message has stored takes its place among the others', async () => {
  const { sent, uploads, states } = open();
  const before = { type: 'file', title: 'old', asset_url: '/files/old', alt: 'An old one' };
  uploads.add([file('a'), file('b')]);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  sent[0]?.done();
  await vi.waitFor(() => expect(states()).toContain('a finished'));
  const [own] = uploads.get().items;
  uploads.settle([before, { type: 'file', asset_url: '/files/a', title: 'a' }]);

  expect(states()).toEqual(['old finished', 'a finished', 'b uploading']);
  expect(uploads.get().items[1]?.id).toBe(own?.id);
  sent[1]?.done();
  await vi.waitFor(() => expect(uploads.take()).toHaveLength(3));
  expect(uploads.take()[0]).toEqual(before);
});

test('A1 a file over a limit says which, and is not tried again', async () => {
  const { uploads, states } = open({ maxBytes: 10 });
  uploads.add([file('large', 11)]);
  await vi.waitFor(() => expect(states()).toEqual(['large failed']));

  expect(uploads.get().items[0]?.error).toMatchObject({ limit: 'bytes', most: 10 });
  uploads.retry('id-1');
  expect(states()).toEqual(['large failed']);
});

test('A1 XMLHttpRequest carries the form, reports progress and ends when cancelled', async () => {
  const xhr = {
    ...{ status: 201, responseText: '{"file":"/f"}', withCredentials: false, sent: false, aborted: false },
    ...{ headers: {} as Record<string, string>, upload: { onprogress: null as never } },
    ...{ onload: null as never, onerror: null as never, onabort: null as never },
    open: () => undefined,
    setRequestHeader: (name: string, value: string) => Object.assign(xhr.headers, { [name]: value }),
    send: () => Object.assign(xhr, { sent: true }),
    abort: () => {
      xhr.aborted = true;
      (xhr.onabort as () => void)();
    },
  };
  const control = new AbortController();
  const progress: number[] = [];
  const request = {
    ...{ url: '/u', headers: { authorization: 't' }, form: new FormData(), withCredentials: true },
    ...{ signal: control.signal, onProgress: (sent: number, total: number) => progress.push(sent / total) },
  };
  const answered = sendByXhr(() => xhr as never)(request);
  (xhr.upload.onprogress as (event: object) => void)({ loaded: 1, total: 4 });
  (xhr.onload as () => void)();

  expect(await answered).toEqual({ status: 201, body: { file: '/f' } });
  expect([xhr.sent, xhr.withCredentials, xhr.headers, progress]).toEqual([
    true,
    true,
    { authorization: 't' },
    [0.25],
  ]);
  const second = sendByXhr(() => xhr as never)(request);
  control.abort();
  await expect(second).rejects.toThrow('could not be reached');
});

test('A2 an upload of the product that reports nothing has the time that a large file takes on a slow network', async () => {
  const { clock, sent, uploads, states } = open({ maxBytes: 16_000_000 });
  uploads.add([file('large', 16_000_000)]);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  clock.advance(16 * 60_000);
  await new Promise((resolve) => setTimeout(resolve));
  expect([states(), sent[0]?.signal.aborted]).toEqual([['large uploading'], false]);

  clock.advance(60_000);
  await vi.waitFor(() => expect(states()).toEqual(['large failed']));
});

test('A2 an upload of the product that never ends has failed after a quarter of an hour of silence, and can be tried again', async () => {
  const { clock, sent, uploads, states } = open();
  uploads.add([file('a')]);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  clock.advance(14 * 60_000);
  sent[0]?.onProgress(0.5);
  clock.advance(14 * 60_000);
  await vi.waitFor(() => expect(states()).toEqual(['a uploading']));

  clock.advance(60_000);
  await vi.waitFor(() => expect(states()).toEqual(['a failed']));
  expect(sent[0]?.signal.aborted).toBe(true);
  sent[0]?.onProgress(0.9);
  uploads.retry(uploads.get().items[0]?.id ?? '');
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  sent[1]?.done();
  await vi.waitFor(() => expect(states()).toEqual(['a finished']));
  expect(clock.pending).toBe(0);
});
