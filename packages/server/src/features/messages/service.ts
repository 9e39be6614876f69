import { invalid, type Message, type MessageInput, type MessageWindow, ParleyError } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import { ReadyJson } from '../../http/route.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { type Access, lockChannel, type Place } from '../channels/access.ts';
import type { UserCache } from '../users/cache.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Hydrate } from './hydrate.ts';
import { placeMessage } from './placing.ts';
import { type Prepared, prepareMessage } from './prepare.ts';
import type { MessageRow } from './record.ts';
import { findMessage, findMessages, listMessages, recountReplies } from './store.ts';

/** What others may do to a message before it is stored; refuses by throwing. Filled by the composition root. */
export type SendHook = (actor: Actor, place: Place, message: Prepared) => Promise<void>;

type Deps = {
  kernel: Kernel;
  access: Access;
  users: UserCache;
  hydrate: Hydrate;
  groupCommit: GroupCommit;
  pipeline: SendHook[];
};
export type Messages = ReturnType<typeof createMessages>;

/** The members row of the author moves with the message: who writes has read what came before. */
const markAuthorRead = async (tx: Tx, row: MessageRow): Promise<void> => {
  if (row.parent_id !== null && !row.show_in_channel) return;
  await tx.db
    .updateTable('members')
    .set({
      read_number: row.number,
      unread_from: null,
      last_read: row.created_at,
      last_read_message_id: row.id,
    })
    .where('cid', '=', row.cid)
    .where('user_id', '=', row.user_id)
    .execute();
};

const refuseDuplicate = (row: MessageRow, message: Prepared): void => {
  if (row.user_id !== message.author.row.id || row.cid !== message.cid)
    throw new ParleyError('DuplicateId', `The message id ${message.id} is taken`, [
      { path: 'message.id', message: 'is taken' },
    ]);
};

/** Seconds until the author may send again in slow mode. */
const coolDownLeft = async (tx: Tx, message: Prepared, cooldown: number): Promise<number> => {
  const last = await tx.db
    .selectFrom('messages')
    .select((eb) => eb.fn.max('created_at').as('at'))
    .where('cid', '=', message.cid)
    .where('user_id', '=', message.author.row.id)
    .executeTakeFirst();
  if (!last?.at) return 0;
  return Math.max(0, Math.ceil((Date.parse(last.at) + cooldown * 1000 - Date.parse(tx.now)) / 1000));
};

const insertMessage = async (tx: Tx, row: MessageRow): Promise<void> => {
  const { attachments, mentioned, data, participants, reaction_groups, ...rest } = row;
  await tx.db
    .insertInto('messages')
    .values({
      ...rest,
      attachments: JSON.stringify(attachments),
      mentioned: JSON.stringify(mentioned),
      data: JSON.stringify(data),
      participants: JSON.stringify(participants),
      reaction_groups: JSON.stringify(reaction_groups),
    })
    .execute();
};

export const createMessages = ({ kernel, access, users, hydrate, groupCommit, pipeline }: Deps) => {
  const one = async (row: MessageRow, viewerId: string | undefined): Promise<Message> => {
    const [message] = await hydrate(kernel.db, [row], viewerId);
    if (!message) throw new ParleyError('Internal');
    return message;
  };

  const stored = async (id: string, viewerId: string | undefined): Promise<Message> => {
    const row = await findMessage(kernel.db, id);
    if (!row) throw new ParleyError('NotFound', `No message ${id}`);
    return one(row, viewerId);
  };

  const tellOf = async (tx: Tx, type: string, row: MessageRow, fields: Record<string, unknown> = {}) => {
    const [message] = await hydrate(tx.db, [row]);
    await tx.event({ cid: row.cid, type, fields: { message, ...fields } });
  };

  /** Replies, and sends in slow mode: these look at other rows, so each is a transaction of its own. */
  const sendAlone = async (
    message: Prepared,
    cooldown: number,
  ): Promise<{ row: MessageRow; repeated: boolean }> =>
    kernel.write(async (tx) => {
      const channel = await lockChannel(tx.db, message.cid);
      if (channel.frozen || channel.disabled)
        throw new ParleyError('NotAllowed', `Not allowed to send-message in ${message.cid}`);
      const before = await findMessage(tx.db, message.id);
      if (before) {
        refuseDuplicate(before, message);
        return { row: before, repeated: true };
      }
      const left = cooldown > 0 ? await coolDownLeft(tx, message, cooldown) : 0;
      if (left > 0)
        throw new ParleyError('CoolDown', `Slow mode: wait ${left} s`, [
          { path: 'seconds', message: String(left) },
        ]);
      const row = placeMessage(message, channel, tx.now);
      await insertMessage(tx, row);
      await tx.db
        .updateTable('channels')
        .set({ last_number: channel.last_number, last_message_at: channel.last_message_at })
        .where('cid', '=', message.cid)
        .execute();
      await markAuthorRead(tx, row);
      await tellOf(tx, 'message.new', row);
      const parent = message.parent ? await recountReplies(tx.db, message.parent.id) : undefined;
      if (parent) await tellOf(tx, 'message.updated', parent);
      return { row, repeated: false };
    });

  /** Sends a message. The same id from the same author again gives the stored one, with 200. */
  const send = async (actor: Actor, cid: string, input: MessageInput): Promise<ReadyJson> => {
    const place = await access.enter(actor, cid);
    const message = await prepareMessage({ db: kernel.db, users }, actor, place, input);
    for (const hook of pipeline) await hook(actor, place, message);
    const cooldown = place.capabilities.has('skip-slow-mode') ? 0 : place.channel.cooldown;
    if (message.parent || cooldown > 0) {
      const { row, repeated } = await sendAlone(message, cooldown);
      return new ReadyJson(
        JSON.stringify({ message: await one(row, message.author.row.id) }),
        repeated ? 200 : 201,
      );
    }
    const sent = await groupCommit.send(message);
    if ('repeated' in sent)
      return new ReadyJson(JSON.stringify({ message: await stored(message.id, message.author.row.id) }), 200);
    return new ReadyJson(`{"message":{"own_reactions":[],${sent.json.slice(1)}}`, 201);
  };

  /** A message and the place it is in, for someone who may read there. */
  const find = async (actor: Actor, id: string): Promise<{ row: MessageRow; place: Place }> => {
    const row = await findMessage(kernel.db, id);
    if (!row) throw new ParleyError('NotFound', `No message ${id}`);
    return { row, place: await access.enter(actor, row.cid) };
  };

  return {
    send,
    find,
    tellOf,
    one,
    async get(actor: Actor, id: string): Promise<Message> {
      const { row } = await find(actor, id);
      return one(row, actorId(actor));
    },
    async byIds(actor: Actor, cid: string, ids: string[]): Promise<Message[]> {
      await access.enter(actor, cid);
      const rows = await findMessages(kernel.db, ids);
      return hydrate(
        kernel.db,
        rows.filter((row) => row.cid === cid),
        actorId(actor),
      );
    },
    async replies(actor: Actor, id: string, window: MessageWindow, fallback: number): Promise<Message[]> {
      await find(actor, id);
      return hydrate(
        kernel.db,
        await listMessages(kernel.db, { parentId: id }, window, fallback),
        actorId(actor),
      );
    },
    /** The timeline of a channel the actor has entered. */
    async timeline(actor: Actor, cid: string, window: MessageWindow, fallback: number): Promise<Message[]> {
      return hydrate(kernel.db, await listMessages(kernel.db, { cid }, window, fallback), actorId(actor));
    },
  };
};

export const parseLimit = (text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback;
  const limit = Number(text);
  if (limit < 1 || limit > 100) throw invalid('limit', 'must be a number from 1 to 100');
  return limit;
};
