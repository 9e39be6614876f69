import { type EventType, eventSchemas } from '@parley/protocol';
import { createTestChat, type TestChat, within } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actors } from './actors.ts';
import type { Cause } from './cause.ts';
import { personCauses } from './events-of-people.ts';
import { roomCauses } from './events-of-rooms.ts';
import { type Listeners, openListeners } from './listeners.ts';
import type { Scene } from './scene.ts';
import { isWriting, linesOf, type Row, readTable, writeTable } from './table.ts';
import { makeWorld, type World } from './world.ts';

/** An event that is in neither is an error of types: nobody has said who receives it. */
const causes: Record<EventType, Cause | string> = { ...roomCauses, ...personCauses };

let chat: TestChat;
let world: World;
let listeners: Listeners;
beforeAll(async () => {
  chat = await createTestChat();
  world = await makeWorld(chat);
  listeners = await openListeners(world);
});
afterAll(async () => {
  listeners.close();
  await chat.stop();
});

const sceneOf = async (cause: Cause): Promise<Scene> => {
  const room = await world.makeRoom();
  if (!cause.unseen) await listeners.watch(room);
  const path = { type: room.type, id: room.id };
  return { world, room, path, mine: 'member', whose: 'other', creator: 'other' };
};

const rowOf = async (type: EventType, cause: Cause | string): Promise<Row> => {
  if (typeof cause === 'string') return { head: [`\`${type}\``, cause], cells: actors.map(() => '') };
  const scene = await sceneOf(cause);
  const received = await listeners.receivedBy(type, cause.awaited, (wait) => cause.act(scene, wait));
  return {
    head: [`\`${type}\``, cause.what],
    cells: actors.map((actor) => (received.has(actor) ? 'yes' : 'no')),
  };
};

test('G2 every event reaches whom the table of doors says', { timeout: 3_600_000 }, async () => {
  const rows: Row[] = [];
  for (const type of Object.keys(eventSchemas) as EventType[])
    rows.push(await within(rowOf(type, causes[type]), `the listeners of ${type}`));
  if (isWriting) writeTable('events', ['event', 'what happens', ...actors], rows);

  expect(linesOf(rows)).toEqual(readTable('events'));
});
