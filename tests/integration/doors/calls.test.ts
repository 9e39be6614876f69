import { type CallKey, type CallSpec, callMethod, callPath, calls } from '@parley/protocol';
import { createTestChat, type TestChat, within } from '@parley/testkit';
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

/** One after the other in a world, since they change it, and in three worlds at once: else it is the longest of all tests. */
/** `unspoiled` is a room that was made for a call which was then refused. */
type Place = { chat: TestChat; world: World; shared: Room; unspoiled?: Room | undefined };
const makePlace = async (): Promise<Place> => {
  const chat = await createTestChat();
  const world = await makeWorld(chat);
  return { chat, world, shared: await world.makeRoom() };
};
const places: Place[] = [];
beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) places.push(await makePlace());
});
afterAll(async () => {
  for (const { chat } of places) await chat.stop();
});

const roomToSpoil = async (place: Place): Promise<Room> => {
  const room = place.unspoiled ?? (await place.world.makeRoom());
  place.unspoiled = undefined;
  return room;
};

const isAboutPair = ({ what }: Door): boolean => what === 'add to a pair';

const roomFor = async (place: Place, door: Door, actor: ActorName): Promise<Room> => {
  const { world, shared } = place;
  if (!isAboutPair(door)) return door.spoils ? roomToSpoil(place) : shared;
  const mine = actor === 'anonymous' ? 'member' : world.people.ids[actor];
  return world.makePair([mine, 'other']);
};

const sceneOf = async (place: Place, door: Door, actor: ActorName): Promise<Scene> => {
  const { world } = place;
  const room = await roomFor(place, door, actor);
  const creator = door.own && actor !== 'anonymous' ? actor : 'other';
  return {
    world,
    room,
    path: { type: room.type, id: room.id },
    mine: actor === 'anonymous' ? 'nobody' : world.people.ids[actor],
    whose: creator === 'other' ? 'other' : world.people.ids[creator],
    creator,
  };
};

const cellOf = (answer: Answer, door: Door, scene: Scene): string => {
  if (answer.status >= 300) return String(answer.status);
  return door.shows && !answer.text.includes(door.shows(scene)) ? 'none' : 'yes';
};

type Knock = { key: CallKey; door: Door };

const knock = async (place: Place, { key, door }: Knock, actor: ActorName): Promise<string> => {
  if (door.own && actor === 'anonymous') return '';
  const scene = await sceneOf(place, door, actor);
  const asked = await door.ask(scene);
  if (asked === undefined) return '';
  const answer = await place.world.people.callers[actor](callMethod(key), callPath(key), asked);
  // The questions of those that show something leave a thing of the actor in the room.
  if (door.spoils && !door.shows && !isAboutPair(door) && answer.status >= 400) place.unspoiled = scene.room;
  return cellOf(answer, door, scene);
};

const rowOf = async (place: Place, one: Knock): Promise<Row> => {
  const cells: string[] = [];
  for (const actor of [...actors].reverse())
    cells.unshift(await within(knock(place, one, actor), `${one.key} ${one.door.what}, by ${actor}`));
  return { head: [`\`${one.key}\``, one.door.what], cells };
};

test('G2 every call answers everyone as the table of doors says', { timeout: 3_600_000 }, async () => {
  const keys = Object.keys(calls) as CallKey[];
  const knocks = keys.flatMap((key) => doors[key].map((door): Knock => ({ key, door })));
  const share = Math.ceil(knocks.length / places.length);
  const rowsOf = async (place: Place, index: number): Promise<Row[]> => {
    const rows: Row[] = [];
    for (const one of knocks.slice(index * share, (index + 1) * share)) rows.push(await rowOf(place, one));
    return rows;
  };
  const rows = (await Promise.all(places.map(rowsOf))).flat();
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
