/** Histories in which every text is a mark of its own, with a book of which marks still stand. */
import { ParleyError } from '@parley/protocol';
import fc from 'fast-check';
import { type Person, type Scene, untilNoRows } from './scene.ts';
import { serverSeq } from './verify.ts';

const kinds = [
  ...[
    'say',
    'say',
    'quote',
    'quote',
    'reply',
    'reply',
    'edit',
    'edit',
    'remove',
    'remove',
    'destroy',
    'undelete',
  ],
  ...[
    'react',
    'pin',
    'poll',
    'rename poll',
    'answer',
    'answer',
    'take back',
    'option',
    'drop option',
    'draft',
    'clear',
    'truncate',
    'leave',
    'return',
    'name',
  ],
  ...['pend', 'pend', 'publish', 'remind', 'locate', 'title', 'nick', 'mark unread'],
  ...['draft', 'drop draft', 'note', 'drop note', 'fall due'],
  ...['schedule', 'schedule', 'reword', 'cancel', 'send scheduled'],
] as const;
export type Step = { kind: (typeof kinds)[number]; who: number; pick: number };

export const anyActs: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), who: fc.nat(2), pick: fc.nat(999) }),
  { minLength: 8, maxLength: 30 },
);

type Said = {
  id: string;
  author: Person;
  mark: string;
  quotes: Said | undefined;
  isDeleted: boolean;
  isGone: boolean;
  poll?: string;
  hasReplies?: boolean;
};
/** A text that only its owner sees: of a draft, a note or a scheduled message. */
type Kept = { owner: Person; mark: string };
/** How the texts stood after an act: what was hidden from whom, by a time of the server. */
type Moment = { at: string; hidden: Map<Person, Set<string>> };

const choose = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

/** Whether a message is one that the act is for: a history of acts that are refused shows nothing. */
const fits = (kind: Step['kind'], one: Said): boolean => {
  if (kind === 'undelete') return one.isDeleted;
  if (kind === 'title') return one.hasReplies === true;
  return !/answer|take back|option|rename poll/.test(kind) || one.poll !== undefined;
};

const locationOf = (pick: number) => ({
  latitude: pick % 90,
  longitude: pick % 180,
  created_by_device_id: 'phone',
  ...(pick % 2 === 0 && { end_at: new Date(Date.now() + 3_600_000).toISOString() }),
});

/** All texts that were sent, which of them still stand, and since which event the others do not. */
export const createBook = (scene: Scene) => {
  const people = [scene.ana, scene.bo, scene.cy];
  const readers = [...people, scene.zed];
  const away = new Set<Person>();
  const kept = new Map<string, Kept>();
  const moments: Moment[] = [];
  const said: Said[] = [];
  const texts = new Map<string, string>();
  const gone = new Map<string, number>();
  const cleared = new Map<Person, Set<Said>>(people.map((person) => [person, new Set()]));
  /** Seen by their authors alone, until they are published. */
  const pending: Said[] = [];
  /** Texts that an edit replaced, by the message that has them in its history. */
  const versions = new Map<string, Said>();
  const scheduled: Said[] = [];
  const soon = () => new Date(Date.now() + 20).toISOString();
  let count = 0;
  const mark = () => `mk${scene.id.slice(0, 6)}n${count++}z`;
  const forget = async (...marks: (string | undefined)[]) => {
    const seq = await serverSeq(scene);
    for (const one of marks) if (one !== undefined && !gone.has(one)) gone.set(one, seq);
  };
  /** A text under a key: the one before it is gone. */
  const put = async (key: string, text: string | undefined) => {
    const before = texts.get(key);
    if (text === undefined) texts.delete(key);
    else texts.set(key, text);
    await forget(before);
  };
  /** The same for a text that only its owner sees. */
  const keep = async (key: string, owner: Person, text: string | undefined) => {
    const before = kept.get(key)?.mark;
    if (text === undefined) kept.delete(key);
    else kept.set(key, { owner, mark: text });
    await forget(before);
  };
  const say = async (author: Person, more: Record<string, unknown>, rest: Partial<Said> = {}) => {
    const text = mark();
    const id = await author.send({ text, ...more });
    said.push({ id, author, mark: text, quotes: undefined, isDeleted: false, isGone: false, ...rest });
  };
  const drop = async (one: Said) => {
    one.isGone = true;
    await forget(one.mark);
    for (const key of [...texts.keys()])
      if (key.startsWith(one.poll ?? one.id) || key === `title ${one.id}`) await put(key, undefined);
  };
  /** Until it is sent, only its creator sees it. */
  const makePoll = async (person: Person) => {
    const name = mark();
    const { poll } = await person.caller.call('POST /polls', {
      body: { name, options: [{ text: mark() }, { text: mark() }], allow_answers: true },
    });
    const parts = [['name', name], ...poll.options.map(({ id, text }) => [id, text])];
    const own = parts.map(([part, text = '']): [string, string] => [`${poll.id} ${part}`, text]);
    for (const [key, text] of own) kept.set(key, { owner: person, mark: text });
    await say(person, { poll_id: poll.id }, { poll: poll.id });
    for (const [key, text] of own) {
      kept.delete(key);
      texts.set(key, text);
    }
  };
  const votes = new Map<string, string>();
  const answer = async (person: Person, one: Said, index: number) => {
    const text = mark();
    const { vote } = await person.caller.call('POST /messages/{id}/polls/{poll_id}/vote', {
      path: { id: one.id, poll_id: one.poll ?? '' },
      body: { vote: { answer_text: text } },
    });
    votes.set(`${one.poll} answer ${index}`, vote.id);
    await put(`${one.poll} answer ${index}`, text);
  };
  const takeBack = async (person: Person, one: Said, index: number) => {
    const key = `${one.poll} answer ${index}`;
    await person.caller.call('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', {
      path: { id: one.id, poll_id: one.poll ?? '', vote_id: votes.get(key) ?? 'none' },
    });
    await put(key, undefined);
  };
  const changeOptions = async (kind: Step['kind'], { caller }: Person, id: string) => {
    if (kind === 'option') {
      const text = mark();
      const { poll_option } = await caller.call('POST /polls/{id}/options', { path: { id }, body: { text } });
      return void texts.set(`${id} ${poll_option.id}`, text);
    }
    const key = [...texts.keys()].findLast((one) => /^\S+ [0-9a-f-]{36}$/.test(one) && one.startsWith(id));
    if (key === undefined) return;
    const path = { id, option_id: key.slice(id.length + 1) };
    await caller.call('DELETE /polls/{id}/options/{option_id}', { path });
    await put(key, undefined);
  };
  const pend = async (author: Person, quotes: Said) => {
    const text = mark();
    const { message } = await author.caller.call('POST /channels/{type}/{id}/message', {
      path: { type: scene.type, id: scene.id },
      body: { message: { text, quoted_message_id: quotes.id }, pending: true },
    });
    pending.push({ id: message.id, author, mark: text, quotes, isDeleted: false, isGone: false });
  };
  const publish = async (pick: number) => {
    const one = choose(pending, pick);
    if (!one) return;
    await one.author.caller.call('POST /messages/{id}/commit', { path: { id: one.id }, body: {} });
    pending.splice(pending.indexOf(one), 1);
    said.push(one);
  };
  const noteOn = async (owner: Person, one: Said, key: string, time: { remind_at?: string } = {}) => {
    const note = mark();
    const input = { path: { id: one.id }, body: { note, ...time } };
    if (kept.has(key)) await owner.caller.call('PATCH /messages/{id}/reminders', input);
    else await owner.caller.call('POST /messages/{id}/reminders', input);
    await keep(key, owner, note);
    await untilNoRows(scene, 'reminders where remind_at is not null and notified_at is null');
  };
  const schedule = async (owner: Person, quotes: Said | undefined) => {
    const text = mark();
    const { scheduled_message } = await owner.caller.call('POST /channels/{type}/{id}/scheduled_messages', {
      path: { type: scene.type, id: scene.id },
      body: {
        message: { text, ...(quotes && { quoted_message_id: quotes.id }) },
        send_at: new Date(Date.now() + 86_400_000).toISOString(),
      },
    });
    scheduled.push({
      id: scheduled_message.id,
      author: owner,
      mark: text,
      quotes,
      isDeleted: false,
      isGone: false,
    });
    await keep(scheduled_message.id, owner, text);
  };
  const changeScheduled = async (kind: Step['kind'], pick: number) => {
    const one = choose(scheduled, pick);
    if (!one) return;
    const path = { id: one.id };
    const { caller } = one.author;
    if (kind === 'reword') {
      const text = mark();
      await caller.call('PATCH /scheduled_messages/{id}', { path, body: { text } });
      one.mark = text;
      return keep(one.id, one.author, text);
    }
    if (kind === 'cancel') {
      await caller.call('DELETE /scheduled_messages/{id}', { path });
      scheduled.splice(scheduled.indexOf(one), 1);
      return keep(one.id, one.author, undefined);
    }
    await caller.call('PATCH /scheduled_messages/{id}', { path, body: { send_at: soon() } });
    await untilNoRows(
      scene,
      "scheduled_messages where status = 'waiting' and send_at < now() + interval '1 hour'",
    );
    const { rowCount } = await scene.world.chat.server.kernel.pools.pool.query(
      'select from messages where id = $1',
      [one.id],
    );
    // One that could not be sent stays with its author.
    if (rowCount === 0) return;
    scheduled.splice(scheduled.indexOf(one), 1);
    kept.delete(one.id);
    said.push(one);
  };
  const act = async ({ kind, who, pick }: Step): Promise<void> => {
    const [left] = away;
    const person = (kind === 'return' ? left : undefined) ?? people[who] ?? scene.ana;
    const name = ['ana', 'bo', 'cy'][people.indexOf(person)] ?? 'ana';
    const standing = said.filter((one) => !one.isGone);
    const fitting = standing.filter((one) => fits(kind, one));
    const target = choose(fitting.length > 0 ? fitting : standing, pick);
    const path = { type: scene.type, id: scene.id };
    if (kind === 'say' || !target) return say(person, {});
    if (kind === 'quote') return say(person, { quoted_message_id: target.id }, { quotes: target });
    if (kind === 'reply') {
      await say(person, { parent_id: target.id, show_in_channel: pick % 2 === 0 });
      target.hasReplies = true;
      return;
    }
    if (kind === 'poll') return makePoll(person);
    if (kind === 'pend') return pend(person, target);
    if (kind === 'publish') return publish(pick);
    if (kind === 'schedule') return schedule(person, pick % 2 === 0 ? target : undefined);
    if (kind === 'reword' || kind === 'cancel' || kind === 'send scheduled')
      return changeScheduled(kind, pick);
    if (kind === 'note') return noteOn(person, target, `note ${name} ${target.id}`);
    if (kind === 'fall due')
      return noteOn(person, target, `note ${name} ${target.id}`, { remind_at: soon() });
    if (kind === 'drop note') {
      await person.caller.call('DELETE /messages/{id}/reminders', { path: { id: target.id } });
      return keep(`note ${name} ${target.id}`, person, undefined);
    }
    if (kind === 'drop draft') {
      await person.caller.call('DELETE /channels/{type}/{id}/draft', { path });
      return keep(`draft ${name}`, person, undefined);
    }
    if (kind === 'title') {
      const title = mark();
      await person.caller.call('PATCH /threads/{message_id}', {
        path: { message_id: target.id },
        body: { set: { title } },
      });
      return put(`title ${target.id}`, title);
    }
    if (kind === 'nick') {
      const nick = mark();
      await person.patchMember({ nick });
      return put(`nick ${name}`, nick);
    }
    if (kind === 'locate') return say(person, { shared_location: locationOf(pick) });
    if (kind === 'remind')
      return void (await person.caller.call('POST /messages/{id}/reminders', {
        path: { id: target.id },
        body: {},
      }));
    if (kind === 'edit') {
      const text = mark();
      await target.author.edit(target.id, text);
      const before = target.mark;
      target.mark = text;
      versions.set(before, target);
      return forget(before);
    }
    if (kind === 'remove') {
      await target.author.remove(target.id);
      target.isDeleted = true;
      return;
    }
    if (kind === 'undelete') {
      await target.author.undelete(target.id);
      target.isDeleted = false;
      return;
    }
    if (kind === 'destroy') {
      await target.author.remove(target.id, { hard: true });
      return drop(target);
    }
    if (kind === 'mark unread') return void (await person.markUnread(target.id));
    if (kind === 'react') return void (await person.react(target.id, 'like'));
    if (kind === 'pin')
      return void (await scene.server.caller.call('PATCH /messages/{id}', {
        path: { id: target.id },
        body: { set: { pinned: pick % 3 > 0 }, user_id: 'bo' } as never,
      }));
    if (kind === 'rename poll' && target.poll) {
      const text = mark();
      await target.author.caller.call('PATCH /polls/{id}', {
        path: { id: target.poll },
        body: { set: { name: text } },
      });
      return put(`${target.poll} name`, text);
    }
    if (kind === 'answer' && target.poll) return answer(person, target, who);
    if (kind === 'take back' && target.poll) return takeBack(person, target, who);
    if ((kind === 'option' || kind === 'drop option') && target.poll)
      return changeOptions(kind, target.author, target.poll);
    if (kind === 'draft') {
      const text = mark();
      await person.caller.call('POST /channels/{type}/{id}/draft', {
        path,
        body: { message: { text, quoted_message_id: target.id } },
      });
      return keep(`draft ${name}`, person, text);
    }
    if (kind === 'clear') {
      await person.caller.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });
      for (const one of standing) cleared.get(person)?.add(one);
    }
    if (kind === 'truncate') {
      await scene.server.caller.call('POST /channels/{type}/{id}/truncate', {
        path,
        body: {},
        query: { user_id: 'bo' } as never,
      });
      for (const one of standing) await drop(one);
    }
    if (kind === 'leave') {
      await scene.server.change({ remove_members: [name] });
      cleared.get(person)?.clear();
      away.add(person);
      await put(`nick ${name}`, undefined);
    }
    if (kind === 'return') {
      await scene.server.change({ add_members: [name] });
      away.delete(person);
    }
    if (kind === 'name') {
      const text = mark();
      await scene.server.patch({ name: text });
      await put('channel', text);
    }
  };
  /** Texts that a reader may not see now: removed, deleted, of a channel that they left, seen by another alone, or cleared by them
   * and quoted by nobody. */
  const hiddenFrom = (person: Person): Set<string> => {
    const hidden = new Set(gone.keys());
    for (const one of pending) if (one.author !== person) hidden.add(one.mark);
    for (const { owner, mark: text } of kept.values()) if (owner !== person) hidden.add(text);
    if (away.has(person)) for (const text of texts.values()) hidden.add(text);
    for (const one of said) {
      const quoted = said.some((q) => q.quotes === one && !q.isGone && !cleared.get(person)?.has(q));
      const isHidden = one.isDeleted || away.has(person) || (cleared.get(person)?.has(one) && !quoted);
      if (isHidden) hidden.add(one.mark);
      const title = texts.get(`title ${one.id}`);
      if (title !== undefined && cleared.get(person)?.has(one)) hidden.add(title);
      if (one.poll && (one.isDeleted || cleared.get(person)?.has(one)))
        for (const [key, text] of texts) if (key.startsWith(one.poll)) hidden.add(text);
    }
    return hidden;
  };
  const note = () => {
    const at = scene.world.chat.server.kernel.now();
    moments.push({ at, hidden: new Map(readers.map((person) => [person, hiddenFrom(person)])) });
  };
  return {
    gone,
    said,
    pending,
    readers,
    away,
    hiddenFrom,
    /** Whether the history of a message that stands holds it: its author may read that. */
    isVersion: (text: string): boolean => {
      const one = versions.get(text);
      return one !== undefined && !one.isGone;
    },
    play: async (steps: readonly Step[]) => {
      note();
      for (const step of steps) {
        try {
          await act(step);
        } catch (error) {
          const isRefusal = error instanceof ParleyError && error.status < 500;
          if (!isRefusal && !/ answered 4\d\d/.test(String(error))) throw error;
        }
        note();
      }
    },
    /** Texts that were hidden from a reader before and after the act in which an event was made. */
    hiddenAt: (person: Person, time: string): Set<string> => {
      const next = moments.findIndex(({ at }) => at >= time);
      const before = moments.at(next < 0 ? -1 : Math.max(0, next - 1))?.hidden.get(person);
      const after = moments.at(next)?.hidden.get(person);
      return new Set([...(before ?? [])].filter((text) => after?.has(text)));
    },
  };
};

export type Book = ReturnType<typeof createBook>;
