import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActorName, actors } from './actors.ts';
import { formOf } from './scene.ts';
import { isWriting, linesOf, type Row, readTable, writeTable } from './table.ts';
import { makeWorld, type Room, type World } from './world.ts';

let chat: TestChat;
let world: World;
let room: Room;
beforeAll(async () => {
  chat = await createTestChat();
  world = await makeWorld(chat);
  room = await world.makeRoom();
});
afterAll(() => chat.stop());

const pathOf = ({ type, id }: Room) => ({ type, id });

const by = async (
  who: 'other' | 'member',
  method: string,
  path: string,
  ask: Parameters<World['server']>[2],
) => {
  const answer = await world.people.callers[who](method, path, ask);
  if (answer.status >= 300)
    throw new Error(`${who}: ${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body as Record<string, { id: string }> & { file: string };
};

const upload = async (at = room): Promise<string> =>
  (await by('other', 'POST', '/channels/{type}/{id}/file', { path: pathOf(at), form: formOf('file') })).file;

const send = async (url: string, at = room): Promise<string> => {
  const message = { text: 'see', attachments: [{ type: 'file', asset_url: url }] };
  const { message: sent } = await by('other', 'POST', '/channels/{type}/{id}/message', {
    path: pathOf(at),
    body: { message },
  });
  return sent?.id ?? '';
};

/** A file for no room, as a picture of a person is. */
const uploadForAll = async (): Promise<string> =>
  (await by('other', 'POST', '/uploads/file', { form: formOf('file') })).file;

/** Where a file can be. `other` uploaded each of them. */
const places: Record<string, () => Promise<string>> = {
  'in a message': async () => {
    const url = await upload();
    await send(url);
    return url;
  },
  'uploaded, not sent': () => upload(),
  'edited out of its message': async () => {
    const url = await upload();
    const id = await send(url);
    await by('other', 'PUT', '/messages/{id}', { path: { id }, body: { message: { text: 'without' } } });
    return url;
  },
  'in a deleted message': async () => {
    const url = await upload();
    await by('other', 'DELETE', '/messages/{id}', { path: { id: await send(url) } });
    return url;
  },
  'in a message deleted for good': async () => {
    const url = await upload();
    await by('other', 'DELETE', '/messages/{id}', { path: { id: await send(url) }, query: { hard: 'true' } });
    return url;
  },
  'in a room that was emptied': async () => {
    const emptied = await world.makeRoom();
    const url = await upload(emptied);
    await send(url, emptied);
    await world.server('POST', '/channels/{type}/{id}/truncate', { path: pathOf(emptied) });
    return url;
  },
  'in a draft': async () => {
    const url = await upload();
    const message = { text: 'half', attachments: [{ type: 'file', asset_url: url }] };
    await by('other', 'POST', '/channels/{type}/{id}/draft', { path: pathOf(room), body: { message } });
    return url;
  },
  'in a pending message': async () => {
    const url = await upload();
    const message = { text: 'wait', attachments: [{ type: 'file', asset_url: url }] };
    await by('other', 'POST', '/channels/{type}/{id}/message', {
      path: pathOf(room),
      body: { message, pending: true },
    });
    return url;
  },
  'for no room, not sent': uploadForAll,
  'for no room, in a message of another': async () => {
    const url = await uploadForAll();
    await by('member', 'POST', '/channels/{type}/{id}/message', {
      path: pathOf(room),
      body: { message: { text: 'see', attachments: [{ type: 'file', asset_url: url }] } },
    });
    return url;
  },
  'for no room, in a message': async () => {
    const url = await uploadForAll();
    await send(url);
    return url;
  },
  'for no room, in a message deleted for good, named in a profile': async () => {
    const url = await uploadForAll();
    const id = await send(url);
    await world.server('PATCH', '/users', {
      body: { users: [{ id: world.people.ids.stranger, set: { note: url } }] },
    });
    await by('other', 'DELETE', '/messages/{id}', { path: { id }, query: { hard: 'true' } });
    return url;
  },
};

const isSigned = async (actor: ActorName, url: string): Promise<string> => {
  const { body } = await world.people.callers[actor]('POST', '/uploads/sign', { body: { urls: [url] } });
  const signed = (body.urls as Record<string, string> | undefined)?.[url];
  if (signed === undefined) return 'no';
  return (await fetch(new URL(signed, chat.url))).ok ? 'yes' : 'no';
};

const rowOf = async (place: string, make: () => Promise<string>): Promise<Row> => {
  const url = await make();
  const bare = await fetch(new URL(url, chat.url));
  const cells = [bare.ok ? 'yes' : 'no'];
  for (const actor of actors) cells.push(await isSigned(actor, url));
  return { head: [place], cells };
};

test('A3 every file is given to whom the table of doors says, by a signature and by its bare URL', async () => {
  const rows: Row[] = [];
  for (const [place, make] of Object.entries(places)) rows.push(await rowOf(place, make));
  if (isWriting) writeTable('files', ['file', 'bare URL', ...actors], rows);

  expect(linesOf(rows)).toEqual(readTable('files'));
});
