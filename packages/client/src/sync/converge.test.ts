import type { Message, ServerEvent } from '@parley/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReducers } from '../features/all.ts';
import { createBatch } from '../readable.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { aMember, aMessage, aSnapshot, at, aUser } from '../testing/records.ts';
import { createApply, createConfirm } from './apply.ts';
import { isSequenced } from './fill.ts';
import { createGap } from './gap.ts';
import { internEvent } from './intern.ts';
import { fromSnapshot } from './snapshot.ts';
import { createStore } from './store.ts';
import { createUserCache } from './user-cache.ts';

const cid = 'messaging:general';
const people = ['ann', 'bea', 'cid'];

type Step = { kind: number; pick: number; who: number };
const anyStep: fc.Arbitrary<Step> = fc.record({ kind: fc.nat(11), pick: fc.nat(1000), who: fc.nat(2) });

/** Turns steps into a log as a server would write it. */
const writeLog = (steps: Step[]): ServerEvent[] => {
  const messages: Message[] = [];
  let number = 0;
  return steps.map(({ kind, pick, who }, index) => {
    const [seq, time, user] = [index + 1, at(index + 1), aUser(people[who] ?? 'ann')];
    const base = { cid, seq, created_at: time };
    const known = messages[pick % Math.max(1, messages.length)];
    const change = (said: Partial<Message>): Message => {
      const next = { ...(known ?? aMessage('none')), ...said, updated_at: time };
      messages[messages.findIndex(({ id }) => id === next.id)] = next;
      return next;
    };
    if (kind <= 3 || !known) {
      const silent = pick % 5 === 0;
      if (!silent) number += 1;
      const message = aMessage(`m${seq}`, { cid, user, number, silent, created_at: time, updated_at: time });
      messages.push(message);
      return { ...base, type: 'message.new', message };
    }
    const reaction = {
      message_id: known.id,
      user_id: user.id,
      user,
      type: 'like',
      score: 1,
      created_at: time,
      updated_at: time,
    };
    switch (kind) {
      case 4:
        return {
          ...base,
          type: 'message.updated',
          message: change({ text: `edit ${seq}`, pinned: pick % 2 === 0 }),
        };
      case 5:
        return {
          ...base,
          type: 'message.deleted',
          hard_delete: false,
          message: change({ type: 'deleted', text: '' }),
        };
      case 6: {
        const message = change({});
        messages.splice(messages.indexOf(message), 1);
        return { ...base, type: 'message.deleted', hard_delete: true, message };
      }
      case 7:
        return { ...base, type: 'reaction.new', reaction, message: change({ reaction_counts: { like: 1 } }) };
      case 8:
        return { ...base, type: 'reaction.deleted', reaction, message: change({ reaction_counts: {} }) };
      case 9:
        return { ...base, type: 'message.read', user, last_read: time, last_read_number: number };
      case 10:
        return {
          ...base,
          type: pick % 2 ? 'member.added' : 'member.removed',
          member: aMember(user.id),
          member_count: 2,
        };
      default:
        return {
          ...base,
          type: 'message.delivered',
          user,
          last_delivered_at: time,
          last_delivered_message_id: known.id,
        };
    }
  }) as ServerEvent[];
};

const createWorld = (log: ServerEvent[]) => {
  const batch = createBatch();
  const store = createStore(batch);
  const users = createUserCache(100, batch);
  const apply = createApply(store, createReducers(50));
  const deliver = (event: ServerEvent) => {
    const own = structuredClone(event);
    internEvent(own, users);
    apply(own);
  };
  const gap = createGap({
    store,
    deliver,
    fill: async (cursors) => {
      const from = (cursors[cid] as { seq: number }).seq;
      return { events: log.filter(({ seq = 0 }) => seq > from), resync: [] };
    },
    resync: async () => expect.unreachable(),
    clock: createHandClock(),
    random: () => 0,
  });
  gap.reset(cid, fromSnapshot(structuredClone(aSnapshot(cid)), { ownId: 'ann', users }, 10), {
    seq: 0,
    log_id: 'log',
  });
  const confirm = createConfirm(store, deliver);
  return { store, gap, confirm };
};

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test('C7 any order, repetition and loss of events, with fills, ends in the same state', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(60), { maxLength: 60 }),
      async (steps, order) => {
        const log = writeLog(steps);
        const [ordered, shuffled] = [createWorld(log), createWorld(log)];
        for (const event of log) if (isSequenced(event)) ordered.gap.receive(event);

        for (const index of order) {
          const event = log[index];
          if (event && isSequenced(event)) shuffled.gap.receive(event);
          if (index % 7 === 0) await settle();
        }
        await shuffled.gap.catchUp([cid]);

        expect(shuffled.store.find(cid)?.seq).toBe(log.length);
        expect(shuffled.store.confirmed(cid)).toEqual(ordered.store.confirmed(cid));
      },
    ),
    { numRuns: 150 },
  );
});

test('S9 replies to any act, delayed arbitrarily against the events, end in the same state as without them', () => {
  const acts = new Set([
    'message.new',
    'message.updated',
    'message.deleted',
    'reaction.new',
    'reaction.deleted',
  ]);
  fc.assert(
    fc.property(
      fc.array(anyStep, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: -4, max: 40 }), { minLength: 1, maxLength: 20 }),
      (steps, delays) => {
        const log = writeLog(steps);
        const [plain, acked] = [createWorld(log), createWorld(log)];
        const due = log
          .filter(({ type }) => acts.has(type))
          .map((event, index) => ({ event, at: (event.seq ?? 0) + (delays[index % delays.length] ?? 0) }));
        for (const [index, event] of log.entries()) {
          if (isSequenced(event)) plain.gap.receive(event);
          // A reply runs ahead of its event by a little, or comes late: then the log says more than it does.
          for (const {
            event: { seq, ...reply },
            at,
          } of due)
            if (at === index + 1) acked.confirm(reply as ServerEvent, seq);
          if (isSequenced(event)) acked.gap.receive(event);
        }
        for (const {
          event: { seq, ...reply },
          at,
        } of due)
          if (at > log.length) acked.confirm(reply as ServerEvent, seq);

        expect(acked.store.confirmed(cid)).toEqual(plain.store.confirmed(cid));
      },
    ),
    { numRuns: 300 },
  );
});
