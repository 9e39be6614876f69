import type { Attachment, Feature, FeatureCore, ParleyClient, VisibleMessage } from '@parley/client';
import type { UploadFunction } from '@parley/client/attachments';
import { expect, test, vi } from 'vitest';
import { carriedBy, createComposerExtras, editKey } from '../composer/composer-extras.ts';
import { createDraftBox, draftKey, withAttachments, withText } from '../drafts/draft-box.ts';
import { createTray, silent, type TrayChat } from './tray.ts';

const key = draftKey('team:a');
const photo: Attachment = { type: 'image', title: 'photo', image_url: 'https://a.example/photo' };
const card: Attachment = { type: 'article', og_scrape_url: 'https://a.example/' };
const store: UploadFunction = async ({ name }) => ({
  ...{ file: `https://a.example/${name}`, name, mime_type: 'text/plain', file_size: 1 },
});

const open = (editing?: VisibleMessage, upload: UploadFunction = store) => {
  let ids = 0;
  const http = { wire: { environment: { uuid: () => `id-${++ids}` } } };
  const client = {
    http,
    feature: <T>({ create }: Feature<T>) => create({ client, http, resets: [] } as unknown as FeatureCore),
  } as unknown as ParleyClient;
  const drafts = createDraftBox();
  const extras = createComposerExtras(drafts);
  const chat = { client, drafts, extras, uploading: { upload } } as unknown as TrayChat;
  const tray = createTray(
    chat,
    { cid: 'team:a', editing },
    () => silent,
    () => {},
  );
  const names = () => tray.get().items.map(({ name, state }) => `${name} ${state}`);
  const carried = (existing: readonly Attachment[] = []) =>
    carriedBy(extras.of(editing ? editKey(key, editing.id) : key).get(), existing);
  return { drafts, tray, names, carried };
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
  const message = { id: 'm1', cid: 'team:a', attachments: [photo, card] } as unknown as VisibleMessage;
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
