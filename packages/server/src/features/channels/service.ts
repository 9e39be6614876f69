import {
  type ChannelInput,
  ChannelInputSchema,
  ChannelSchema,
  type ChannelStateReply,
  invalid,
  type MessageWindow,
  ParleyError,
  texts,
} from '@parley/protocol';
import { sql } from 'kysely';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { Connection } from '../../gateway/connection.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { customOf, shapeOf } from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import { type Members, type NewMember, parseMembers } from '../members/service.ts';
import type { Access } from './access.ts';
import { rolesOf } from './access.ts';
import type { ChannelRow } from './record.ts';
import type { ChannelStates } from './state.ts';
import { channelFields, distinctKey } from './store.ts';

export const channelShape = shapeOf(ChannelInputSchema, ChannelSchema);

export type StateRequest = {
  data?: ChannelInput;
  watch?: boolean;
  state?: boolean;
  presence?: boolean;
  messages?: MessageWindow;
  members?: { limit?: number };
};
export type ListRequest = PageRequest & {
  watch?: boolean;
  state?: boolean;
  presence?: boolean;
  message_limit?: number;
  member_limit?: number;
};

const defaultMessages = 25;
const defaultMembers = 30;

type Deps = { kernel: Kernel; access: Access; types: ChannelTypes; members: Members; states: ChannelStates };
export type Channels = ReturnType<typeof createChannels>;

type Making = {
  type: string;
  id: string;
  input: ChannelInput;
  members: NewMember[];
  distinct: string | null;
  creatorId: string;
};

const checkWatch = (watch: boolean | undefined, watcher: Connection | undefined): void => {
  if (watch && !watcher)
    throw invalid('connection_id', 'watch needs the connection_id of an open connection');
};

export const createChannels = ({ kernel, access, types, members, states }: Deps) => {
  /** Whether the actor may make a channel of the type, with these settings. */
  const checkMayCreate = async (actor: Actor, typeName: string, input: ChannelInput): Promise<void> => {
    const type = await types.get(typeName);
    if (actor.kind === 'server') return;
    const grants = type.grants(rolesOf(actor, undefined));
    if (!grants.any.has('create-channel') || actor.user.row.banned)
      throw new ParleyError('NotAllowed', `Not allowed to create-channel of the type ${typeName}`);
    if (input.disabled !== undefined)
      throw new ParleyError('NotAllowed', 'Only the server may disable a channel (disable-channel)');
  };

  const insert = async (tx: Tx, making: Making): Promise<ChannelRow | undefined> => {
    const { type, id, input, distinct, creatorId } = making;
    return tx.db
      .insertInto('channels')
      .values({
        cid: `${type}:${id}`,
        type,
        id,
        name: input.name ?? null,
        image: input.image ?? null,
        data: JSON.stringify(customOf(input, channelShape, 'data')),
        created_by: creatorId,
        created_at: tx.now,
        updated_at: tx.now,
        frozen: input.frozen ?? false,
        disabled: input.disabled ?? false,
        cooldown: input.cooldown ?? 0,
        distinct_key: distinct,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  };

  const make = (making: Making): Promise<boolean> =>
    kernel.write(async (tx) => {
      const row = await insert(tx, making);
      if (!row) return false;
      tx.stale({ what: 'channel', key: row.cid });
      await members.add(tx, row, making.members);
      const channel = await states.publicChannel({ ...row, member_count: making.members.length });
      for (const { userId, invited } of making.members) {
        if (userId === making.creatorId) continue;
        const member = await members.memberOf(tx, row.cid, userId);
        tx.tell(
          [userId],
          invited ? 'notification.invited' : 'notification.added_to_channel',
          { channel, member },
          row.cid,
        );
      }
      return true;
    });

  const withCreator = (list: NewMember[], creatorId: string): NewMember[] =>
    list.some((member) => member.userId === creatorId)
      ? list
      : [{ userId: creatorId, role: 'channel_member', data: {}, invited: false }, ...list];

  const optionsOf = ({ watch, state, presence, messages, members: page }: StateRequest) => ({
    watch,
    state,
    presence,
    messageLimit: messages?.limit ?? defaultMessages,
    memberLimit: page?.limit ?? defaultMembers,
    window: messages,
  });

  const show = async (
    actor: Actor,
    cid: string,
    request: StateRequest,
    watcher: Connection | undefined,
  ): Promise<ChannelStateReply> => {
    await access.enter(actor, cid);
    const [state] = await states.states(actor, [cid], optionsOf(request), watcher);
    if (!state) throw new ParleyError('NotFound', `No channel ${cid}`);
    return state;
  };

  /** Who makes a channel is in it, unless the server makes it. */
  const makingOf = async (actor: Actor, type: string, id: string, input: ChannelInput): Promise<Making> => {
    const creator = actingUser(actor);
    await checkMayCreate(actor, type, input);
    const given = parseMembers(input.members ?? [], 'data.members');
    const list = actor.kind === 'server' ? given : withCreator(given, creator.row.id);
    await members.checkNew(list, 'data.members');
    return { type, id, input, members: list, distinct: null, creatorId: creator.row.id };
  };

  return {
    show,
    /** Gets the channel, or makes it where the actor may. */
    async getOrCreate(
      actor: Actor,
      type: string,
      id: string,
      request: StateRequest,
      watcher: Connection | undefined,
    ) {
      checkWatch(request.watch, watcher);
      const cid = `${type}:${id}`;
      const before = await access.find(cid);
      if (before?.deleted_at) throw new ParleyError('NotFound', `No channel ${cid}`);
      const created =
        before === undefined && (await make(await makingOf(actor, type, id, request.data ?? {})));
      return { created, state: await show(actor, cid, request, watcher) };
    },
    /** The one channel of exactly these members. */
    async getOrCreateDistinct(
      actor: Actor,
      type: string,
      request: StateRequest,
      watcher: Connection | undefined,
    ) {
      checkWatch(request.watch, watcher);
      const input = request.data ?? {};
      if (!input.members || input.members.length === 0) throw invalid('data.members', texts.membersMissing);
      const given = parseMembers(input.members, 'data.members');
      const ids = given.map((member) => member.userId);
      const own = actorId(actor);
      if (actor.kind === 'user' && own !== undefined && !ids.includes(own)) ids.push(own);
      const key = distinctKey(type, ids);
      const id = `!members-${key}`;
      const before = await kernel.db
        .selectFrom('channels')
        .select('deleted_at')
        .where('distinct_key', '=', key)
        .executeTakeFirst();
      if (before?.deleted_at)
        throw new ParleyError('NotFound', 'The conversation of these members was deleted');
      const created =
        before === undefined && (await make({ ...(await makingOf(actor, type, id, input)), distinct: key }));
      return { created, state: await show(actor, `${type}:${id}`, request, watcher) };
    },
    async query(actor: Actor, request: ListRequest, watcher: Connection | undefined) {
      checkWatch(request.watch, watcher);
      const own = actor.kind === 'anonymous' ? undefined : actorId(actor);
      const open = actor.kind === 'server' ? [] : await access.openTypes(actor);
      const readable = kernel.db
        .selectFrom('channels')
        .select(['channels.cid'])
        .where('channels.deleted_at', 'is', null)
        .$if(actor.kind !== 'server', (query) =>
          query.where((eb) =>
            eb.or([
              sql<boolean>`channels.type = any(${open})`,
              eb.exists(
                eb
                  .selectFrom('members')
                  .select('members.cid')
                  .whereRef('members.cid', '=', 'channels.cid')
                  .where('members.user_id', '=', own ?? ''),
              ),
            ]),
          ),
        );
      const page = await queryPage(readable, request, {
        fields: channelFields,
        context: { actorId: own ?? null },
        cursorKey: kernel.config.apiSecret,
      });
      const allowed: string[] = [];
      for (const { cid } of page.rows)
        if ((await access.look(actor, cid))?.capabilities.has('read-channel')) allowed.push(cid);
      const { watch, state, presence } = request;
      const options = {
        watch,
        state,
        presence,
        messageLimit: request.message_limit ?? defaultMessages,
        memberLimit: request.member_limit ?? defaultMembers,
      };
      const found = await states.states(actor, allowed, options, watcher);
      return { channels: found, ...(page.next === undefined ? {} : { next: page.next }) };
    },
  };
};
