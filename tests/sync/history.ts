/** Random histories of a channel: what people do, and what happens to the observer's network meanwhile. */
import { ParleyError } from '@parley/protocol';
import type { CallFault, FrameFault, TestClient } from '@parley/testkit';
import fc from 'fast-check';
import type { Person, Scene } from './scene.ts';
import { untilRecovered } from './verify.ts';

const kinds = [
  'plain',
  'silent',
  'reply',
  'shown',
  'quote',
  'edit',
  'remove',
  'destroy',
  'undelete',
  'react',
  'react once',
  'unreact',
  'read',
  'read to',
  'unread',
  'clear',
  'deliver',
  'add member',
  'remove member',
  'rename',
  'truncate',
  'say here',
  'react here',
  'unreact here',
  'edit here',
  'read here',
  'go offline',
  'come back',
  'fault',
  'heal',
] as const;
type Kind = (typeof kinds)[number];
const emojis = ['like', 'wow', 'sad'];
export type Step = { kind: Kind; who: number; pick: number };

const often: Kind[] = ['plain', 'plain', 'react', 'edit', 'read', 'come back', 'heal'];
const rare: Kind[] = ['truncate', 'clear'];
const chosen = [...kinds.filter((kind) => !rare.includes(kind)), ...kinds, ...often];

export const anyHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...chosen), who: fc.nat(2), pick: fc.nat(999) }),
  { minLength: 5, maxLength: 30 },
);

type Play = {
  scene: Scene;
  observer: TestClient;
  messages: { id: string; author: Person }[];
  isOffline: boolean;
  /** Acts that were begun and not waited for. */
  running: Promise<void>[];
};

const faultOf = (turn: number): FrameFault | undefined =>
  ([undefined, 'duplicate', 'drop', { delayMs: 15 }, { delayMs: 3 }] as const)[turn % 5];

const anyFaults = (pick: number) => {
  let turn = pick;
  return (json: string): FrameFault | undefined => {
    turn = (turn * 7 + 3) % 1009;
    // Events outside the log are not sent again: they may only come late, twice, or in another order.
    if (json.startsWith('{"type":"notification.mark_'))
      return turn % 5 === 0 ? 'duplicate' : { delayMs: (turn % 4) * 6 };
    if (!/^\{"type":"[^"]+","seq":/.test(json)) return undefined;
    return faultOf(turn);
  };
};

/** Answers that come late, each by a time of its own. */
const lateAnswers = (pick?: number) => {
  let turn = pick ?? 0;
  return (url: string): CallFault | undefined => {
    if (url.includes('/channels/delivered')) return 'refuse';
    if (pick === undefined) return undefined;
    turn = (turn * 7 + 3) % 1009;
    return turn % 2 === 0 ? { delayMs: turn % 40 } : undefined;
  };
};

/** Something is refused in most histories: a reaction to what was deleted. Only a mistake of the server is news. */
const unlessRefused = async (run: () => Promise<unknown>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    const isRefusal = error instanceof ParleyError && error.status < 500;
    if (!isRefusal && !/ answered 4\d\d|NetworkError|could not be reached/.test(String(error))) throw error;
  }
};

const say = async (play: Play, author: Person, kind: Kind, target: string): Promise<void> => {
  const more = {
    silent: { silent: true },
    reply: { parent_id: target },
    shown: { parent_id: target, show_in_channel: true },
    quote: { quoted_message_id: target },
  }[kind as string];
  const id = await author.send({ text: `${kind} ${play.messages.length}`, ...more });
  play.messages.push({ id, author });
};

const network = async (play: Play, { kind, pick }: Step): Promise<void> => {
  const { faults } = play.observer;
  if (kind === 'fault') {
    faults.onFrame(anyFaults(pick));
    faults.onCall(lateAnswers(pick));
  }
  if (kind === 'heal') {
    faults.onFrame(undefined);
    faults.onCall(lateAnswers());
  }
  if (kind === 'go offline' && !play.isOffline) {
    play.isOffline = true;
    faults.goOffline();
  }
  if (kind === 'come back' && play.isOffline) {
    play.isOffline = false;
    await untilRecovered(play.observer, faults.restore);
  }
};

const act = async (play: Play, { kind, who, pick }: Step): Promise<void> => {
  const { scene } = play;
  const person = [scene.ana, scene.bo, scene.cy][who] ?? scene.bo;
  const target = play.messages[pick % play.messages.length];
  if (!target) return;
  const { id, author } = target;
  const emoji = emojis[pick % emojis.length] ?? 'like';
  const acts: Partial<Record<Kind, () => Promise<unknown>>> = {
    edit: () => author.edit(id, `edited ${pick}`),
    remove: () => author.remove(id),
    destroy: () => author.remove(id, { hard: true }),
    undelete: () => author.undelete(id),
    react: () => person.react(id, emoji, { score: 1 + (pick % 4) }),
    'react once': () => person.react(id, emoji, { unique: true }),
    unreact: () => person.unreact(id, emoji),
    read: () => person.read(),
    'read to': () => person.read(id),
    unread: () => person.markUnread(id),
    clear: () => scene.ana.clearHistory(),
    deliver: () => person.delivered(id),
    'add member': () => scene.server.change({ add_members: ['dee'] }),
    'remove member': () => scene.server.change({ remove_members: ['dee'] }),
    rename: () => scene.bo.patch({ name: `Name ${pick}` }),
    truncate: () => scene.bo.truncate(),
  };
  await (acts[kind]?.() ?? say(play, person, kind, id));
};

/** The same by the observer's own client: shown before it is stored. */
const actHere = ({ scene, observer: { client }, messages }: Play, { kind, pick }: Step): Promise<unknown> => {
  const target = { cid: scene.cid, id: messages[pick % messages.length]?.id ?? '' };
  const emoji = emojis[pick % emojis.length] ?? 'like';
  if (kind === 'say here') return client.messages.send(scene.cid, { text: `here ${pick}` });
  if (kind === 'react here') return client.reactions.add(target, emoji, { unique: pick % 2 === 0 });
  if (kind === 'unreact here') return client.reactions.delete(target, emoji);
  if (kind === 'edit here') return client.messages.edit(target, { text: `edited here ${pick}` });
  return client.reads.markRead(scene.cid);
};

const ofNetwork = new Set<Kind>(['go offline', 'come back', 'fault', 'heal']);

/** Plays a history; the observer is online and its network whole at the end. */
export const playHistory = async (scene: Scene, observer: TestClient, steps: Step[]): Promise<void> => {
  const messages = [
    { id: scene.first, author: scene.ana },
    { id: scene.second, author: scene.bo },
    { id: scene.third, author: scene.cy },
  ];
  const play: Play = { scene, observer, messages, isOffline: false, running: [] };
  for (const step of steps) {
    if (ofNetwork.has(step.kind)) await network(play, step);
    else {
      const isHere = step.kind.endsWith(' here');
      const run = unlessRefused(() => (isHere ? actHere(play, step) : act(play, step)));
      // Some go on while the next begins; what is typed offline ends only after the reconnect.
      if (isHere || step.pick % 3 === 0) play.running.push(run);
      else await run;
    }
  }
  await network(play, { kind: 'heal', who: 0, pick: 0 });
  await network(play, { kind: 'come back', who: 0, pick: 0 });
  await Promise.all(play.running);
  await scene.zed.patchMember({ closing: true });
};
