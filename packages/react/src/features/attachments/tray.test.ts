import type { Attachment, Feature, FeatureCore, ParleyClient, VisibleMessage } from '@parley/client';
import type { UploadFunction } from '@parley/client/attachments';
import { expect, test, vi } from 'vitest';
import { aMessage } from '../../testing/records.ts';
import { carriedBy, createComposerExtras, editKey } from '../composer/composer-extras.ts';
import { createDraftBox, draftKey, withAttachments, withText } from '../drafts/draft-box.ts';
import { queueFiles } from './queued-files.ts';
import { createTray, silent, type TrayChat } from './tray.ts';

const key = draftKey('team:a');
const photo: Attachment = { type: 'image', title: 'photo', image_url: 'https://a.example/photo' };
const card: Attachment = { type: 'article', og_scrape_url: 'https://a.example/' };
const store: UploadFunction = async ({ name }) => ({
  ...{ file: `https://a.example/${name}`, name, mime_type: 'text/plain', file_size: 1 },
});

const open = (editing?: VisibleMessage, upload: UploadFunction = store) => {
  let ids = 0;
  const clock = { now: () => 0, setTimeout, clearTimeout };
  const environment = { uuid: () => `id-${++ids}`, clock };
  const http = { wire: { environment, baseUrl: 'https://parley.example/api' } };
  const client = {
    http,
    feature: <T>({ create }: Feature<T>) =>
      create({ client, http, environment, resets: [] } as unknown as FeatureCore),
  } as unknown as ParleyClient;
  const drafts = createDraftBox();
  const extras = createComposerExtras(drafts);
  const discard = vi.fn();
  const edited: Pick<VisibleMessage, 'id' | 'text'>[] = [];
  const channels = { state: () => ({ get: () => ({ messages: edited, threads: {} }) }) };
  Object.assign(client, { messages: { discard }, channels });
  const stops: (() => void)[] = [];
  const queue = { client, listener: () => silent, onEnd: () => {} };
  const chat = { client, drafts, extras, uploading: { upload } } as unknown as TrayChat;
  const tray = createTray(chat, { cid: 'team:a', editing }, () => silent, {
    onEnd: () => {},
    onDetach: (files, detaching) => {
      const { queued, message } = queueFiles(queue, 'team:a', files, detaching);
      stops.push(queued.stop);
      return message;
    },
  });
  const names = () => tray.get().items.map(({ name, state }) => `${name} ${state}`);
  const carried = (existing: readonly Attachment[] = []) =>
    carriedBy(extras.of(editing ? editKey(key, editing.id) : key).get(), existing);
  /** Ends the session. */
  const stopQueued = () => {
    for (const stop of stops) stop();
  };
  return { drafts, tray, names, carried, discard, stopQueued, edited };
};
const file = (name: string) => new File(['x'], name, { type: 'text/plain' });

test('A1 a function of the product stores the file, and the draft keeps its answer', async () => {
  const { drafts, tray, carried } = open();
  tray.add([file('a')]);
  expect(carried().refusal).toBe('Wait until all attachments have uploaded');
  await vi.waitFor(() => expect(carried()).toMatchObject({ refusal: undefined, isEnough: true }));

  expect(drafts.of(key).get().attachments).toMatchObject([{ asset_url: 'https://a.example/a' }]);
  carried().reset();
  await vi.waitFor(() => expect(drafts.of(key).get().attachments).toBeUndefined());
});

test('A1 files that another device adds to the draft appear, and those that it removes disappear; typing changes nothing', async () => {
  const { drafts, tray, names } = open();
  drafts.change(key, (draft) => withAttachments(draft, [photo, card]));
  expect(names()).toEqual(['photo finished']);
  tray.add([file('a')]);
  await vi.waitFor(() => expect(names()).toEqual(['photo finished', 'a finished']));
  drafts.change(key, (draft) => withText(draft, 'words'));
  expect(names()).toHaveLength(2);
  drafts.change(key, (draft) => withAttachments(draft, []));

  expect(names()).toEqual([]);
});

test('A1 an edit begins with the files of its message and leaves the rest of it alone', async () => {
  const message = aMessage({ id: 'm1', cid: 'team:a', attachments: [photo, card] });
  const { drafts, tray, names, carried } = open(message);
  expect(names()).toEqual(['photo finished']);
  tray.delete('id-1');
  await vi.waitFor(() => expect(carried(message.attachments).attachments).toEqual([card]));

  expect(drafts.of(key).get().attachments).toBeUndefined();
});

test('A2 a failed file stays when the message is sent', async () => {
  const { tray, names, carried } = open(undefined, (request) =>
    request.name === 'bad' ? Promise.reject(new Error('full')) : store(request),
  );
  tray.add([file('bad'), file('good')]);
  await vi.waitFor(() => expect(names()).toEqual(['bad failed', 'good finished']));
  carried().reset();

  expect(names()).toEqual(['bad failed']);
});

const gate = () => {
  let go = () => {};
  const opened = new Promise<void>((resolve) => {
    go = resolve;
  });
  const upload: UploadFunction = async (request) => {
    await opened;
    return store(request);
  };
  return { go, upload };
};

test('A2 a message takes the files that still upload along, and gets them once they are stored', async () => {
  const { go, upload } = gate();
  const { tray, carried, drafts } = open(undefined, upload);
  tray.add([file('a'), file('b')]);

  const message = carried([card]).detach?.('words');
  expect(carried()).toMatchObject({ attachments: [], refusal: undefined });
  expect(message?.attachments).toMatchObject([{ title: 'a', state: 'uploading' }, { title: 'b' }, card]);
  go();

  expect((await message?.rest())?.attachments).toMatchObject([
    { asset_url: 'https://a.example/a' },
    { asset_url: 'https://a.example/b' },
    card,
  ]);
  expect(drafts.of(key).get().attachments).toBeUndefined();
});

test('A2 a message whose file failed is refused in words, and tries the file again when it is retried', async () => {
  let isBroken = true;
  const { tray, names, carried } = open(undefined, async (request) => {
    await null;
    if (isBroken) throw new Error('full');
    return store(request);
  });
  tray.add([file('a')]);
  const message = carried().detach?.('');

  await expect(message?.rest()).rejects.toMatchObject({
    name: 'InputInvalid',
    message: "A file didn't upload",
  });
  expect(names()).toEqual(['a failed']);
  isBroken = false;
  expect((await message?.rest())?.attachments).toHaveLength(1);
});

test('A2 a message without text is discarded when the last file that it waits for is cancelled', async () => {
  const { tray, carried, discard } = open(undefined, gate().upload);
  tray.add([file('a')]);
  const message = carried().detach?.('');
  void message?.rest();
  tray.delete('id-1');

  await vi.waitFor(() => expect(discard).toHaveBeenCalledWith('team:a', message?.id));
});

test('A2 a message whose uploads the end of the session stopped has failed: it is neither sent without its files nor discarded', async () => {
  for (const words of ['with a file', '']) {
    const { tray, carried, discard, stopQueued } = open(undefined, gate().upload);
    tray.add([file('a')]);
    const rest = carried().detach?.(words).rest();
    stopQueued();

    await expect(rest).rejects.toMatchObject({ name: 'InputInvalid', message: "A file didn't upload" });
    expect(discard).not.toHaveBeenCalled();
  }
});

test('A2 a message that got a text while it waited is sent without the file that is cancelled', async () => {
  const { tray, carried, discard, edited } = open(undefined, gate().upload);
  tray.add([file('a')]);
  const message = carried().detach?.('');
  edited.push({ id: message?.id ?? '', text: 'words after all' });
  const rest = message?.rest();
  tray.delete('id-1');

  expect(await rest).toEqual({ attachments: [] });
  expect(discard).not.toHaveBeenCalled();
});
