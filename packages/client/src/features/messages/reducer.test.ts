import type { Message, ServerEvent } from '@parley/protocol';
import { expect, test } from 'vitest';
import { createBatch } from '../../readable.ts';
import type { Reducer } from '../../sync/apply.ts';
import { fromSnapshot } from '../../sync/snapshot.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import { createUserCache } from '../../sync/user-cache.ts';
import { aMessage, aSnapshot, at, aUser } from '../../testing/records.ts';
import { createReducers } from '../all.ts';

const cid = 'messaging:general';
const reducers = createReducers(500);
const like = (userId: string) => ({
  message_id: 'said',
  user_id: userId,
  type: 'like',
  score: 1,
  created_at: at(5),
  updated_at: at(5),
});
const said = aMessage('said', { text: 'secret', created_at: at(1) });
const quote: Message = { ...aMessage('quote', { created_at: at(2) }), quoted_message_id: 'said' };

const start = (messages: Message[] = [said, { ...quote, quoted_message: said }]): ConfirmedChannel =>
  fromSnapshot(
    structuredClone(aSnapshot(cid, { messages })),
    { ownId: 'ann', users: createUserCache(10, createBatch()) },
    10,
  );
const reduce = (state: ConfirmedChannel, event: object): ConfirmedChannel => {
  const full = { cid, seq: 1, created_at: at(9), ...event } as ServerEvent;
  const reducer = reducers[full.type] as Reducer<ServerEvent['type']> | undefined;
  return reducer ? reducer(state, full as never) : state;
};
const quoted = (state: ConfirmedChannel) => state.messages.find(({ id }) => id === 'quote')?.quoted_message;
const tombstone = { ...said, text: '', type: 'deleted' as const, updated_at: at(9) };

test('S14 a quote of a message that is deleted loses its text', () => {
  const next = reduce(start(), { type: 'message.deleted', message: tombstone, hard_delete: false });

  expect(quoted(next)).toMatchObject({ type: 'deleted', text: '' });
});

test('S14 a quote of a message that is gone for good keeps only its id', () => {
  const next = reduce(start(), { type: 'message.deleted', message: said, hard_delete: true });

  expect(next.messages.map(({ id }) => id)).toEqual(['quote']);
  expect(next.messages[0]).toMatchObject({ quoted_message_id: 'said' });
  expect(quoted(next)).toBeUndefined();
});

test('S15 a reaction shows in quotes, too, without what is personal', () => {
  const message = { ...said, reaction_counts: { like: 1 }, latest_reactions: [like('ann')] };
  const next = reduce(start(), { type: 'reaction.new', message, reaction: like('ann') });

  expect(quoted(next)).toMatchObject({ reaction_counts: { like: 1 } });
  expect(quoted(next)).not.toHaveProperty('own_reactions');
});

test('S15 own reactions of the same moment stand in the order of the server', () => {
  const counts = { like: 1, wow: 1 };
  const wow = { ...like('ann'), type: 'wow' };
  const once = reduce(start(), {
    type: 'reaction.new',
    message: { ...said, reaction_counts: counts },
    reaction: like('ann'),
  });
  const twice = reduce(once, {
    type: 'reaction.new',
    message: { ...said, reaction_counts: counts },
    reaction: wow,
  });

  expect(twice.messages[0]?.own_reactions).toEqual([like('ann'), wow]);
});

test('S14 a deletion takes the own reactions away, and undelete restores them', () => {
  const liked = { ...said, reaction_counts: { like: 2 }, latest_reactions: [like('bea'), like('ann')] };
  const shown = start([{ ...liked, own_reactions: [like('ann')] }]);

  const deleted = reduce(shown, { type: 'message.deleted', message: tombstone, hard_delete: false });
  const back = reduce(deleted, { type: 'message.undeleted', message: { ...liked, updated_at: at(10) } });

  expect(deleted.messages[0]?.own_reactions).toEqual([]);
  expect(back.messages[0]?.own_reactions).toEqual([like('ann')]);
});

test('S13 a new name reaches authors, quotes, reactions, members and marks', () => {
  const user = { ...aUser('bea'), name: 'Beatrice' };
  const by = { ...said, user: aUser('bea'), latest_reactions: [{ ...like('bea'), user: aUser('bea') }] };
  const state = start([by, { ...quote, user: aUser('ann'), quoted_message: by }]);

  const next = reduce(state, { type: 'user.updated', cid: undefined, user });

  expect(next.messages[0]).toMatchObject({ user, latest_reactions: [{ user }] });
  expect(next.messages[1]?.quoted_message).toMatchObject({ user });
  expect(next.members.find(({ user_id }) => user_id === 'bea')).toMatchObject({ user });
  expect(reduce(next, { type: 'user.updated', user })).toBe(next);
});
