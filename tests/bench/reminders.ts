import pg from 'pg';
import { WebSocket } from 'ws';
import type { Bench, Measured } from './bench.ts';
import { type ParleyTarget, userId } from './jobs.ts';
import { decimal, whole } from './report.ts';
import { createChannel, createUsers, post } from './setup.ts';
import { userToken } from './tokens.ts';

const people = 200;
const each = 50;
const count = people * each;
/** Long enough for both servers to notice what was put into the database behind their backs. */
const aheadMs = 8000;
const longestMs = 10_000;
const room = { type: 'livestream', id: 'bench-reminders', firstUser: 0, members: 0 };

type Received = { key: string; at: number };

/** One device that notes what falls due. */
const listen = (target: ParleyTarget, user: string, received: Received[]): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${target.port}/api/connect?api_key=${target.apiKey}`);
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`a device was closed with ${code}`)));
    socket.once('open', () => {
      const token = userToken(user, target.apiSecret);
      socket.send(JSON.stringify({ type: 'connect', auth_type: 'jwt', token, payload: {} }));
    });
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('{"type":"health.check"')) return resolve(socket);
      if (!text.startsWith('{"type":"notification.reminder_due"')) return;
      const { reminder } = JSON.parse(text) as { reminder: { message_id: string } };
      received.push({ key: `${user} ${reminder.message_id}`, at: Date.now() });
    });
  });

/** All of them due at one moment, for people who are connected to either of two servers. */
const plant = async (bench: Bench): Promise<number> => {
  await createUsers(bench.parley, people);
  await createChannel(bench.parley, room);
  for (let index = 0; index < each; index++)
    await post(bench.parley, `/channels/${room.type}/${room.id}/message`, {
      message: { id: `bench-remind-${index}`, text: `message ${index}`, user_id: userId(0) },
    });
  const due = Date.now() + aheadMs;
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  await client.query('delete from reminders');
  await client.query(
    `insert into reminders (user_id, message_id, cid, remind_at, created_at, updated_at)
     select u, 'bench-remind-' || n, $1, $2, now(), now()
     from unnest($3::text[]) u cross join generate_series(0, ${each - 1}) n`,
    [
      `${room.type}:${room.id}`,
      new Date(due).toISOString(),
      Array.from({ length: people }, (_, index) => userId(index)),
    ],
  );
  await client.end();
  return due;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ten thousand reminders due at once on two servers: how long until the last is received, and each once. */
export const measureReminders = async (bench: Bench): Promise<Measured> => {
  const second = await bench.startFreshParley();
  const received: Received[] = [];
  const due = await plant(bench);
  const sockets = await Promise.all(
    Array.from({ length: people }, (_, index) =>
      listen(index % 2 ? second.target : bench.parley, userId(index), received),
    ),
  );
  while (received.length < count && Date.now() < due + 2 * longestMs) await pause(20);
  await pause(500);
  for (const socket of sockets) socket.terminate();
  await second.stop();
  const late = received.map(({ at }) => at - due).sort((a, b) => a - b);
  const at = (part: number) => late[Math.min(late.length - 1, Math.floor(part * late.length))] ?? 0;
  const different = new Set(received.map(({ key }) => key)).size;
  const last = at(1) / 1000;
  return {
    raw: { count, different, received: received.length, p50: at(0.5), p99: at(0.99), last: at(1) },
    blemishes: [
      ...(different < count ? [`reminders: ${count - different} were not received`] : []),
      ...(received.length > different
        ? [`reminders: ${received.length - different} were received twice`]
        : []),
    ],
    rows: [
      {
        name: `${whole(count)} reminders due at once, 2 servers: last received after s`,
        parley: decimal(last),
        limit: `${whole(people)} people`,
        ratio: '',
        target: `≤ ${longestMs / 1000}, each once`,
        ok: different === count && received.length === count && last * 1000 <= longestMs,
        latency: `${decimal(at(0.5), 0)} / ${decimal(at(0.99), 0)}`,
      },
    ],
  };
};
