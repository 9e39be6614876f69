import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

// More calls at once than the pool has connections: a transaction that asked for a second one would wait until the pool
// gives up, and be answered with 500.
const count = 40;
const names = Array.from({ length: count }, (_, index) => String(index).padStart(2, '0'));
const rooms = names.map((name) => `r${name}`);
const people = names.map((name) => `p${name}`);
const ids = names.map((name) => `m${name}`);

let chat: TestChat;
const path = (room: string) => ({ type: 'messaging', id: room });

/** Caches know nothing, as after a start. */
const forget = (): void => {
  const { bus } = chat.server.kernel;
  for (const key of ['ana', ...people]) bus.publish({ kind: 'stale', what: 'user', key });
  for (const room of rooms) bus.publish({ kind: 'stale', what: 'channel', key: `messaging:${room}` });
  bus.publish({ kind: 'stale', what: 'channel-type', key: 'messaging' });
};

const allAtOnce = async (run: (index: number) => Promise<unknown>): Promise<void> => {
  const results = await Promise.allSettled(names.map((_, index) => run(index)));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(failed).toEqual([]);
};
const at = (list: string[], index: number): string => list[index] ?? '';

beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', ...people] });
  const server = await chat.as();
  for (const [index, room] of rooms.entries()) {
    const members = ['ana', at(people, index)];
    await chat.admin.channels.create('messaging', room, { created_by_id: 'ana', members });
    await server.call('POST /channels/{type}/{id}/message', {
      path: path(room),
      body: { message: { id: at(ids, index), text: 'hello', user_id: 'ana' } },
    });
  }
});
afterAll(() => chat.stop());
beforeEach(forget);

test('W4 40 edits at once that mention someone are all answered', async () => {
  const ana = await chat.as('ana');
  await allAtOnce((index) =>
    ana.call('PUT /messages/{id}', {
      path: { id: at(ids, index) },
      body: { message: { text: 'hello you', mentioned_users: [at(people, index)] } },
    }),
  );
});

test('W4 40 reactions at once with cold caches are all answered, and so is their removal', async () => {
  const callers = await Promise.all(people.map((person) => chat.as(person)));
  await allAtOnce((index) => {
    forget();
    return callers[index]?.call('POST /messages/{id}/reaction', {
      path: { id: at(ids, index) },
      body: { reaction: { type: 'like' } },
    }) as Promise<unknown>;
  });
  await allAtOnce((index) => {
    forget();
    return callers[index]?.call('DELETE /messages/{id}/reaction/{type}', {
      path: { id: at(ids, index), type: 'like' },
    }) as Promise<unknown>;
  });
});

test('W4 40 changes of members, channels and pins at once are all answered', async () => {
  const server = await chat.as();
  await allAtOnce((index) => {
    forget();
    return server.call('POST /channels/{type}/{id}', {
      path: path(at(rooms, index)),
      query: { user_id: 'ana' },
      body: { data: { name: 'new' }, add_members: [at(people, (index + 1) % count)] },
    });
  });
  await allAtOnce((index) => {
    forget();
    return server.call('POST /channels/{type}/{id}', {
      path: path(at(rooms, index)),
      query: { user_id: 'ana' },
      body: { remove_members: [at(people, (index + 1) % count)] },
    });
  });
  await allAtOnce((index) => {
    forget();
    return server.call('PATCH /messages/{id}', {
      path: { id: at(ids, index) },
      query: { user_id: 'ana' },
      body: { set: { pinned: true } },
    });
  });
});

test('W4 40 replies, quotes and polls at once are all answered', async () => {
  const server = await chat.as();
  const say = (index: number, message: Record<string, unknown>) => {
    forget();
    return server.call('POST /channels/{type}/{id}/message', {
      path: path(at(rooms, index)),
      body: { message: { text: 'said', user_id: at(people, index), ...message } },
    });
  };
  await allAtOnce((index) => say(index, { parent_id: at(ids, index) }));
  await allAtOnce((index) => say(index, { quoted_message_id: at(ids, index) }));
  await allAtOnce(async (index) => {
    const { poll } = await server.call('POST /polls', {
      query: { user_id: at(people, index) },
      body: { name: 'Where?', options: [{ text: 'here' }] },
    });
    await say(index, { id: `poll-${index}`, poll_id: poll.id });
    forget();
    return server.call('POST /polls/{id}/options', {
      path: { id: poll.id },
      query: { user_id: at(people, index) },
      body: { text: 'there' },
    });
  });
});

test('W4 40 marks, deletions and new channels at once are all answered', async () => {
  const server = await chat.as();
  const callers = await Promise.all(people.map((person) => chat.as(person)));
  await allAtOnce((index) => {
    forget();
    return callers[index]?.call('POST /channels/{type}/{id}/read', {
      path: path(at(rooms, index)),
      body: {},
    }) as Promise<unknown>;
  });
  await allAtOnce((index) => {
    forget();
    return server.call('DELETE /messages/{id}', { path: { id: at(ids, index) }, query: { user_id: 'ana' } });
  });
  await allAtOnce((index) => {
    forget();
    return server.call('POST /channels/{type}/{id}/query', {
      path: path(`new-${index}`),
      body: { data: { created_by_id: 'ana', members: ['ana', ...people.slice(0, 3)] } },
    });
  });
  await allAtOnce((index) => {
    forget();
    return server.call('POST /channels/{type}/{id}/truncate', { path: path(at(rooms, index)), body: {} });
  });
});

test('W4 a transaction that reaches for the pool fails at once instead of waiting for itself', async () => {
  const { kernel } = chat.server;
  const inside = kernel.write(async () => kernel.db.selectFrom('users').select('id').execute());
  await expect(inside).rejects.toThrow('only tx.db may be used');
  const { db } = kernel;
  await expect(kernel.write(async () => db.selectFrom('users').select('id').execute())).rejects.toThrow(
    'only tx.db may be used',
  );
});

test('W4 a server that hangs keeps no lock: PostgreSQL ends its idle transactions and dead connections', async () => {
  const { pools } = chat.server.kernel;
  const asked = `select current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('statement_timeout') as longest`;
  const own = await pools.connectPipelined();

  expect((await pools.pool.query(asked)).rows).toEqual([{ idle: '10s', longest: '2s' }]);
  const longestOf = (db: typeof pools.background) =>
    db
      .selectNoFrom((eb) => eb.fn<string>('current_setting', [eb.val('statement_timeout')]).as('longest'))
      .execute();
  expect(await longestOf(pools.db)).toEqual([{ longest: '2s' }]);
  expect(await chat.server.kernel.write(({ db }) => longestOf(db))).toEqual([{ longest: '1min' }]);
  expect(await longestOf(pools.background)).toEqual([{ longest: '1min' }]);
  expect((await own.query(asked)).rows).toEqual([{ idle: '10s', longest: '1min' }]);
  expect(await pools.search(asked, [])).toEqual([{ idle: '10s', longest: '2s' }]);
  await own.end();
});

test('W4 reads that are asked for at once share a connection, and later ones take others', async () => {
  const { read } = chat.server.kernel.pools;
  const ask = () =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        read<{ pid: number }>({ name: 'own_pid', text: 'select pg_backend_pid() as pid' }, []),
      ),
    );
  const sets: Set<number>[] = [];
  for (let turn = 0; turn < 6; turn++) sets.push(new Set((await ask()).flat().map(({ pid }) => pid)));

  expect(sets.map(({ size }) => size)).toEqual(sets.map(() => 1));
  expect(new Set(sets.flatMap((set) => [...set])).size).toBeGreaterThan(1);
});
