import type { Draft, OwnUser } from '@parley/protocol';
import { expect, test, vi } from 'vitest';
import type { FeatureCore } from '../../client.ts';
import { createEvents } from '../../events.ts';
import { createBatch, createCell } from '../../readable.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { anOwnUser, at } from '../../testing/records.ts';
import { drafts as draftsFeature } from './index.ts';

const cid = 'messaging:general';
const draftOf = (text: string, version: number): Draft => ({
  ...{ cid, version, created_at: at(1), updated_at: at(1) },
  message: { text },
});

/** A client that is connected as Ann, in front of a server whose answers are given by hand. */
const make = () => {
  const clock = createHandClock();
  const stored = new Map<string, Draft[]>([['ann', []]]);
  const saves: PromiseWithResolvers<unknown>[] = [];
  const me = createCell<OwnUser | undefined>(anOwnUser('ann'), createBatch());
  const call = async (key: string) => {
    if (key === 'POST /drafts/query') return { drafts: stored.get(me.get()?.id ?? '') ?? [] };
    const save = Promise.withResolvers<unknown>();
    saves.push(save);
    return save.promise;
  };
  const events = createEvents(() => {});
  const resets: (() => void)[] = [];
  const visibility = { isVisible: () => true, subscribe: () => () => {} };
  const environment = { clock, random: () => 0, uuid: () => 'r', visibility };
  const drafts = draftsFeature.create({
    http: { call },
    me,
    events,
    environment,
    resets,
  } as unknown as FeatureCore);
  const receive = (draft: Draft) =>
    events.emit({ type: 'draft.updated', created_at: at(1), draft } as Parameters<typeof events.emit>[0]);
  const signOut = () => {
    me.set(undefined);
    for (const reset of resets) reset();
  };
  const text = () => drafts.of(cid).get().text;
  const signIn = (id: string) => me.set(anOwnUser(id));
  return { drafts, clock, stored, saves, receive, signOut, signIn, text };
};

test('C8 a save that ends after the sign-out hides no draft of the next user', async () => {
  const { drafts, clock, stored, saves, receive, signOut, signIn, text } = make();
  receive(draftOf('of Ann', 5));
  drafts.set(cid, undefined, { text: 'of Ann, longer', rest: {} });
  clock.advance(1000);
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  signOut();
  saves[0]?.reject(new Error('No user is connected'));
  await new Promise((resolve) => setTimeout(resolve));

  stored.set('bo', [draftOf('of Bo', 2)]);
  signIn('bo');
  await vi.waitFor(() => expect(text()).toBe('of Bo'));
});

test('C8 a draft that waited for the end of a composition does not come after the sign-out', () => {
  const { drafts, receive, signOut, signIn, text } = make();
  const end = drafts.pause(cid);
  receive(draftOf('of Ann', 5));
  signOut();
  end();
  signIn('bo');

  expect(text()).toBe('');
});

test('C8 the end of a composition of the last user ends none of the next one', () => {
  const { drafts, receive, signOut, signIn, text } = make();
  const endOfAnn = drafts.pause(cid);
  signOut();
  signIn('bo');
  const end = drafts.pause(cid);
  receive(draftOf('of Bo', 5));
  endOfAnn();
  expect(text()).toBe('');

  end();
  expect(text()).toBe('of Bo');
});
