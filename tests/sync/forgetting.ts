/** Histories in which every text is a mark of its own, with a book of which marks still stand. */
import { ParleyError } from '@parley/protocol';
import fc from 'fast-check';
import type { Person, Scene } from './scene.ts';
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
    'draft',
    'clear',
    'truncate',
    'leave',
    'return',
    'name',
  ],
  ...['pend', 'pend', 'publish', 'remind', 'locate'],
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
  const said: Said[] = [];
  const texts = new Map<string, string>();
  const gone = new Map<string, number>();
  const cleared = new Map<Person, Set<Said>>(people.map((person) => [person, new Set()]));
  /** Seen by their authors alone, until they are published. */
  const pending: Said[] = [];
  /** Texts that an edit replaced, by the message that has them in its history. */
  const versions = new Map<string, Said>();
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
  const say = async (author: Person, more: Record<string, unknown>, rest: Partial<Said> = {}) => {
    const text = mark();
    const id = await author.send({ text, ...more });
    said.push({ id, author, mark: text, quotes: undefined, isDeleted: false, isGone: false, ...rest });
  };
  const drop = async (one: Said) => {
    one.isGone = true;
    await forget(one.mark);
    if (one.poll)
      for (const key of [...texts.keys()]) if (key.startsWith(one.poll)) await put(key, undefined);
  };
  const makePoll = async (person: Person) => {
    const name = mark();
    const { poll } = await person.caller.call('POST /polls', {
      body: { name, options: [{ text: mark() }, { text: mark() }], allow_answers: true },
    });
    texts.set(`${poll.id} name`, name);
    for (const { id, text } of poll.options) texts.set(`${poll.id} ${id}`, text);
    await say(person, { poll_id: poll.id }, { poll: poll.id });
  };
  const answer = async (person: Person, one: Said, index: number) => {
    const text = mark();
    await person.caller.call('POST /messages/{id}/polls/{poll_id}/vote', {
      path: { id: one.id, poll_id: one.poll ?? '' },
      body: { vote: { answer_text: text } },
    });
    await put(`${one.poll} answer ${index}`, text);
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
    const one = pending[pick % Math.max(1, pending.length)];
    if (!one) return;
    await one.author.caller.call('POST /messages/{id}/commit', { path: { id: one.id }, body: {} });
    pending.splice(pending.indexOf(one), 1);
    said.push(one);
  };
  const act = async ({ kind, who, pick }: Step): Promise<void> => {
    const person = people[who] ?? scene.ana;
    const name = ['ana', 'bo', 'cy'][who] ?? 'ana';
    const standing = said.filter((one) => !one.isGone);
    const target = standing[pick % Math.max(1, standing.length)];
    const path = { type: scene.type, id: scene.id };
    if (kind === 'say' || !target) return say(person, {});
    if (kind === 'quote') return say(person, { quoted_message_id: target.id }, { quotes: target });
    if (kind === 'reply') return say(person, { parent_id: target.id, show_in_channel: pick % 2 === 0 });
    if (kind === 'poll') return makePoll(person);
    if (kind === 'pend') return pend(person, target);
    if (kind === 'publish') return publish(pick);
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
    if (kind === 'draft')
      return void (await person.caller.call('POST /channels/{type}/{id}/draft', {
        path,
        body: { message: { text: `draft of ${name}`, quoted_message_id: target.id } },
      }));
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
    if (kind === 'leave') await scene.server.change({ remove_members: [name] });
    if (kind === 'leave') cleared.get(person)?.clear();
    if (kind === 'return') await scene.server.change({ add_members: [name] });
    if (kind === 'name') {
      const text = mark();
      await scene.server.patch({ name: text });
      await put('channel', text);
    }
  };
  return {
    gone,
    said,
    pending,
    people,
    /** Whether the history of a message that stands holds it: its author may read that. */
    isVersion: (text: string): boolean => {
      const one = versions.get(text);
      return one !== undefined && !one.isGone;
    },
    play: async (steps: readonly Step[]) => {
      for (const step of steps)
        try {
          await act(step);
        } catch (error) {
          const isRefusal = error instanceof ParleyError && error.status < 500;
          if (!isRefusal && !/ answered 4\d\d/.test(String(error))) throw error;
        }
    },
    /** Texts that a reader may not see at the end: removed, deleted, or cleared by them and quoted by nobody. */
    hiddenFrom: (person: Person): Set<string> => {
      const hidden = new Set(gone.keys());
      for (const one of pending) if (one.author !== person) hidden.add(one.mark);
      for (const one of said) {
        const quoted = said.some((q) => q.quotes === one && !q.isGone && !cleared.get(person)?.has(q));
        if (one.isDeleted || (cleared.get(person)?.has(one) && !quoted)) hidden.add(one.mark);
      }
      return hidden;
    },
  };
};
