import { expect, test } from 'vitest';
import type { Link } from '../bus/link.ts';
import type { Db } from '../db/schema.ts';
import { systemClock } from '../lib/clock.ts';
import type { Delays } from './delays.ts';
import { Membership } from './membership.ts';
import type { Sender } from './sender.ts';

const createScene = () => {
  const notices: string[] = [];
  const membership = new Membership({
    self: 'one',
    clock: systemClock,
    // Nothing of these is used where texts alone come and go.
    ...({} as { db: Db; link: Link; sender: Sender; delays: Delays }),
    onShared: (isShared) => void notices.push(isShared ? 'shared' : 'alone'),
    onDoubt: () => undefined,
    onNoLongerSilent: (id) => void notices.push(`asked ${id}`),
    onUnlisted: () => undefined,
    onGone: (id, isDead) => void notices.push(`${id} ${isDead ? 'died' : 'left'}`),
  });
  return { membership, notices };
};

test('W4 a late text of a server that said goodbye does not bring it back, to die of silence', () => {
  const { membership, notices } = createScene();
  membership.receivedFrom('two');
  membership.remove('two', false);

  membership.receivedFrom('two');

  expect(membership.isShared).toBe(false);
  expect(notices).toEqual(['shared', 'asked two', 'two left', 'alone']);
});

test('W4 a server that was taken for dead is there again when it sends again', () => {
  const { membership, notices } = createScene();
  membership.receivedFrom('two');
  membership.remove('two', true);

  membership.receivedFrom('two');

  expect(notices).toEqual(['shared', 'asked two', 'two died', 'alone', 'shared', 'asked two']);
});
