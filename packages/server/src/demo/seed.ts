import type { Attachment } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import { createTokens } from '../auth/tokens.ts';
import { createLocalBus } from '../bus/bus.ts';
import type { Pools } from '../db/pool.ts';
import { createFeatures, type Services } from '../features/all.ts';
import { hasUsers } from '../features/users/store.ts';
import { Hub } from '../hub/hub.ts';
import { createKernel, type Kernel } from '../kernel/kernel.ts';
import { isoTime, systemClock } from '../lib/clock.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { DemoChannel, DemoMessage, DemoPoll } from './conversations/types.ts';
import { makeFile, toAttachment } from './files.ts';
import { demoWorld } from './world.ts';

const emoji: Record<string, string> = {
  like: '👍',
  love: '❤️',
  haha: '😂',
  wow: '😮',
  sad: '😢',
  thanks: '🙏',
  fire: '🔥',
  party: '🎉',
  eyes: '👀',
  check: '✅',
};

/** The people most newcomers sign in as; they find a few things unread. */
const newcomers = new Set(['ana', 'bo', 'priya']);

type Seeding = {
  services: Services;
  setTime(ms: number): void;
  start: number;
  as(userId: string): Promise<Actor>;
};
type Step = { channel: DemoChannel; message: DemoMessage; cid: string; index: number };

const minute = 60_000;
const timeOf = (start: number, minutesAgo: number): number => start - minutesAgo * minute;
const messageId = (cid: string, index: number): string =>
  `demo-${cid.replaceAll(/[^a-z0-9]/gi, '').slice(0, 40)}-${index}`;

const createChannel = async (seeding: Seeding, channel: DemoChannel): Promise<string> => {
  const { services, setTime, start, as } = seeding;
  setTime(timeOf(start, (channel.messages[0]?.minutesAgo ?? 0) + 30));
  const actor = await as(channel.createdBy);
  const data = {
    ...(channel.name === undefined ? {} : { name: channel.name }),
    ...(channel.topic === undefined ? {} : { topic: channel.topic }),
    members: [...channel.members],
  };
  const { state } = channel.direct
    ? await services.channels.channels.getOrCreateDistinct(actor, channel.type, { data })
    : await services.channels.channels.getOrCreate(actor, channel, { data });
  return state.channel.cid;
};

const keyIndex = (channel: DemoChannel, key: string): number =>
  channel.messages.findIndex((message) => message.key === key);

const react = async (seeding: Seeding, { message, cid }: Step, id: string): Promise<void> => {
  const sent = timeOf(seeding.start, message.minutesAgo);
  const given = Object.entries(message.reactions ?? {}).flatMap(([type, userIds]) =>
    (userIds ?? []).map((userId) => ({ userId, type: emoji[type] ?? type })),
  );
  const at = (index: number) => Math.min(seeding.start, sent + (index + 1) * 7000);
  seeding.setTime(at(given.length - 1));
  await seeding.services.reactions.importMany(
    cid,
    id,
    given.map((reaction, index) => ({ ...reaction, at: isoTime(at(index)) })),
  );
};

const pollId = (id: string): string => `poll-${id}`;

const makePoll = async ({ services }: Seeding, poll: DemoPoll, id: string, actor: Actor): Promise<string> => {
  const options = poll.options.map(({ text }, index) => ({ id: `option-${index}`, text }));
  const given = { id: pollId(id), name: poll.name, options };
  await services.polls.polls.create(actor, {
    ...given,
    allow_answers: true,
    allow_user_suggested_options: true,
  });
  return given.id;
};

const vote = async ({ services, as }: Seeding, poll: DemoPoll, id: string): Promise<void> => {
  const place = { messageId: id, pollId: pollId(id) };
  for (const [index, { votes }] of poll.options.entries())
    for (const userId of votes)
      await services.polls.votes.cast(await as(userId), place, { option_id: `option-${index}` });
  for (const [userId, answer_text] of Object.entries(poll.comments ?? {}))
    await services.polls.votes.cast(await as(userId), place, { answer_text });
};

const attach = async ({ services }: Seeding, { message, cid }: Step, actor: Actor): Promise<Attachment[]> => {
  const made: Attachment[] = [];
  for (const file of message.files ?? []) {
    const bytes = await makeFile(file);
    const { upload } = await services.uploads.importFile(
      actor,
      { kind: 'file', cid },
      { name: file.name, bytes },
    );
    made.push(toAttachment(file, upload, bytes));
  }
  return made;
};

const play = async (seeding: Seeding, step: Step): Promise<void> => {
  const { channel, message, cid, index } = step;
  const { services, setTime, start, as } = seeding;
  setTime(timeOf(start, message.minutesAgo));
  const id = messageId(cid, index);
  const actor = await as(message.by);
  await services.messaging.messages.send(actor, cid, {
    id,
    text: message.text,
    ...(message.poll ? { poll_id: await makePoll(seeding, message.poll, id, actor) } : {}),
    ...(message.files ? { attachments: await attach(seeding, step, actor) } : {}),
    ...(message.location
      ? { shared_location: { ...message.location, created_by_device_id: `demo-${message.by}` } }
      : {}),
    ...(message.system ? { type: 'system' as const } : {}),
    ...(message.mentions ? { mentioned_users: [...message.mentions] } : {}),
    ...(message.replyTo ? { parent_id: messageId(cid, keyIndex(channel, message.replyTo)) } : {}),
    ...(message.quote ? { quoted_message_id: messageId(cid, keyIndex(channel, message.quote)) } : {}),
  });
  if (message.poll) await vote(seeding, message.poll, id);
  if (message.edited) {
    setTime(timeOf(start, message.minutesAgo) + minute);
    await services.messaging.changes.patch(actor, id, { set: { text: `${message.text} ` } });
    await services.messaging.changes.patch(actor, id, { set: { text: message.text } });
  }
  if (message.deleted) await services.messaging.changes.remove(actor, id, false);
  else await react(seeding, step, id);
};

/** Everyone has read everything, but newcomers find the last few messages of every third channel waiting. */
const markReads = async (
  seeding: Seeding,
  channel: DemoChannel,
  cid: string,
  place: number,
): Promise<void> => {
  if (channel.type === 'livestream') return;
  const timeline = channel.messages.flatMap((message, index) => (message.replyTo ? [] : [index]));
  for (const userId of channel.members) {
    const behind = newcomers.has(userId) && place % 3 === 1 ? 3 : 0;
    const index = timeline.at(-1 - behind);
    if (index === undefined) continue;
    seeding.setTime(timeOf(seeding.start, 1));
    await seeding.services.reads.markRead(await seeding.as(userId), cid, {
      messageId: messageId(cid, index),
    });
  }
};

const seedWith = async (seeding: Seeding): Promise<void> => {
  const { services, setTime, start } = seeding;
  setTime(timeOf(start, 60 * 24 * 30));
  const users = demoWorld.users.map(({ image: _, ...user }) => [user.id, user] as const);
  await services.users.upsert({ kind: 'server', user: undefined }, Object.fromEntries(users));
  const cids = new Map<DemoChannel, string>();
  for (const channel of demoWorld.channels) cids.set(channel, await createChannel(seeding, channel));
  const steps = demoWorld.channels.flatMap((channel) =>
    channel.messages.map(
      (message, index): Step => ({ channel, message, cid: cids.get(channel) ?? '', index }),
    ),
  );
  for (const step of steps.sort((a, b) => b.message.minutesAgo - a.message.minutesAgo))
    await play(seeding, step);
  for (const [place, channel] of demoWorld.channels.entries())
    await markReads(seeding, channel, cids.get(channel) ?? '', place);
};

const seedInto = async (kernel: Kernel, pools: Pools): Promise<void> => {
  const start = kernel.clock.now();
  let now = start;
  const own = createKernel({
    config: kernel.config,
    log: kernel.log,
    pools,
    clock: { ...systemClock, now: () => now },
    bus: createLocalBus((error) => kernel.log.error({ err: error }, 'seeding failed')),
  });
  const { list, services } = createFeatures({
    kernel: own,
    hub: new Hub(own),
    storage: openStorage(own.config.storage),
    tokens: await createTokens(own.config.apiSecret, own.clock),
  });
  const setTime = (ms: number) => {
    now = Math.min(ms, start);
  };
  const as = async (userId: string): Promise<Actor> => ({
    kind: 'server',
    user: await services.users.cache.get(own.db, userId),
  });
  await seedWith({ services, start, setTime, as });
  await list.stop();
  kernel.log.info({ users: demoWorld.users.length, at: isoTime(start) }, 'demo data made');
};

const lockId = 7_236_842;

/** Fills an empty database with the demo world, through the same services that serve people, at times in the past.
 * Of several servers that start together one does it, and none goes on before it is done. */
export const seedDemo = (kernel: Kernel): Promise<void> =>
  kernel.pools.exclusively(lockId, async () => {
    if (await hasUsers(kernel.db)) return;
    const pools = kernel.pools.createUnflushed();
    await seedInto(kernel, pools).finally(() => pools.end());
  });
