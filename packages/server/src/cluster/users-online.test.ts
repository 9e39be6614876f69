import { expect, test } from 'vitest';
import type { Outgoing } from '../bus/link-text.ts';
import { UsersOnline } from './users-online.ts';

type Text = { from: string; message: Outgoing };

/** Servers whose texts arrive when the test says so, and what each of them found out. */
const createScene = (...ids: string[]) => {
  const texts: Text[] = [];
  const timers: (() => void)[] = [];
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    setTimeout: (run: () => void) => {
      timers.push(run);
      return { stop: () => undefined };
    },
  };
  const servers = new Map(
    ids.map((id) => {
      const changes: string[] = [];
      const users = new UsersOnline({
        clock,
        sender: { send: (_subject, message) => void texts.push({ from: id, message }) },
        isShared: () => true,
      });
      users.onChange((userIds) => void changes.push(...userIds));
      return [id, { users, changes }];
    }),
  );
  const server = (id: string) => {
    const found = servers.get(id);
    if (!found) throw new Error(`no server ${id}`);
    return found;
  };
  const deliver = (): void => {
    for (const { from, message } of texts.splice(0))
      for (const [id, { users }] of servers)
        if (
          id !== from &&
          (message.kind === 'present' || message.kind === 'online' || message.kind === 'offline')
        )
          users.receive(from, message);
  };
  return { server, deliver, texts, pass: () => timers.splice(0).forEach((run) => void run()) };
};

test('C7 a user who leaves two servers at the same moment is gone for both', () => {
  const { server, deliver } = createScene('one', 'two', 'three');
  const [one, two, three] = [server('one'), server('two'), server('three')];
  for (const { users } of [one, two]) users.set('di', true);
  deliver();
  expect([one.changes, two.changes, three.changes]).toEqual([[], [], ['di']]);

  for (const { users } of [one, two]) users.set('di', false);
  deliver();

  expect([one.changes, two.changes, three.changes]).toEqual([['di'], ['di'], ['di', 'di']]);
  expect([one, two, three].map(({ users }) => users.isElsewhere('di'))).toEqual([false, false, false]);
});

test('C7 a user who is on two servers and leaves one of them is gone for nobody', () => {
  const { server, deliver } = createScene('one', 'two', 'three');
  for (const id of ['one', 'two']) server(id).users.set('di', true);
  deliver();

  server('one').users.set('di', false);
  deliver();

  expect(server('three').changes).toEqual(['di']);
  expect(server('two').changes).toEqual([]);
  expect(server('one').users.isElsewhere('di')).toBe(true);
});

test('C7 where the text of a leave is lost, the next list says so', () => {
  const { server, deliver, texts } = createScene('one', 'two');
  server('one').users.set('di', true);
  deliver();
  server('one').users.set('di', false);
  texts.length = 0;

  server('one').users.sendAll();
  deliver();

  expect(server('two').changes).toEqual(['di', 'di']);
});

test('C7 the users of a server that leaves stay online for a moment, in which they connect to another', () => {
  const { server, deliver, pass } = createScene('one', 'two');
  for (const id of ['di', 'ed']) server('one').users.set(id, true);
  deliver();
  server('two').changes.length = 0;

  server('two').users.onGone('one', false);
  server('two').users.set('di', true);
  expect(server('two').changes).toEqual([]);
  expect(server('two').users.isElsewhere('ed')).toBe(true);
  pass();

  expect(server('two').changes).toEqual(['ed']);
});

test('C7 the users of a server that died are gone at once', () => {
  const { server, deliver } = createScene('one', 'two');
  server('one').users.set('di', true);
  deliver();

  server('two').users.onGone('one', true);

  expect(server('two').changes).toEqual(['di', 'di']);
});
