import { type CallKey, type CallSpec, callMethod, callPath, calls } from '@parley/protocol';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActorName, type Answer, actors } from './actors.ts';
import type { Door } from './door.ts';
import { appDoors } from './doors-of-app.ts';
import { messageDoors } from './doors-of-messages.ts';
import { roomDoors } from './doors-of-rooms.ts';
import type { Scene } from './scene.ts';
import { isWriting, linesOf, type Row, readTable, writeTable } from './table.ts';
import { makeWorld, type Room, type World } from './world.ts';

/** A call that is in none of the three is an error of types: nobody has said who may make it. */
const doors: Record<CallKey, Door[]> = { ...roomDoors, ...messageDoors, ...appDoors };

let chat: TestChat;
let world: World;
let shared: Room;
beforeAll(async () => {
  chat = await createTestChat();
  world = await makeWorld(chat);
  shared = await world.makeRoom();
});
afterAll(() => chat.stop());

const roomFor = async ({ spoils, what }: Door, actor: ActorName): Promise<Room> => {
  if (what !== 'add to a pair') return spoils ? world.makeRoom() : shared;
  const mine = actor === 'anonymous' ? 'member' : world.people.ids[actor];
  return world.makePair([mine, 'other']);
};

const sceneOf = async (door: Door, actor: ActorName): Promise<Scene> => {
  const room = await roomFor(door, actor);
  const maker = door.own && actor !== 'anonymous' ? actor : 'other';
  return {
    world,
    room,
    path: { type: room.type, id: room.id },
    mine: actor === 'anonymous' ? 'nobody' : world.people.ids[actor],
    whose: maker === 'other' ? 'other' : world.people.ids[maker],
    maker,
  };
};

const cellOf = (answer: Answer, door: Door, scene: Scene): string => {
  if (answer.status >= 300) return String(answer.status);
  return door.shows && !answer.text.includes(door.shows(scene)) ? 'none' : 'yes';
};

const knock = async (key: CallKey, door: Door, actor: ActorName): Promise<string> => {
  if (door.own && actor === 'anonymous') return '';
  const scene = await sceneOf(door, actor);
  const asked = await door.ask(scene);
  if (asked === undefined) return '';
  const answer = await world.people.callers[actor](callMethod(key), callPath(key), asked);
  return cellOf(answer, door, scene);
};

const rowOf = async (key: CallKey, door: Door): Promise<Row> => {
  const cells: string[] = [];
  for (const actor of [...actors].reverse()) cells.unshift(await knock(key, door, actor));
  return { head: [`\`${key}\``, door.what], cells };
};

test('G2 every call answers everyone as the table of doors says', { timeout: 300_000 }, async () => {
  const rows: Row[] = [];
  for (const key of Object.keys(calls) as CallKey[])
    for (const door of doors[key]) rows.push(await rowOf(key, door));
  if (isWriting) writeTable('calls', ['call', 'what', ...actors], rows);

  expect(linesOf(rows)).toEqual(readTable('calls'));
});

test('G2 no call of the server alone lets anybody else in', () => {
  const lines = readTable('calls');
  for (const [key, spec] of Object.entries(calls) as [CallKey, CallSpec][]) {
    if (spec.side !== 'S') continue;
    const [line = ''] = lines.filter((text) => text.startsWith(`| \`${key}\``));
    expect(
      new Set(
        line
          .split('|')
          .slice(3, -1)
          .map((cell) => cell.trim()),
      ),
      key,
    ).toEqual(new Set(['403']));
  }
});
