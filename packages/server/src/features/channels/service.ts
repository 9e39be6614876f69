import { randomUUID } from 'node:crypto';
import {
  type ChannelInput,
  type ChannelStateReply,
  invalid,
  isStaffRole,
  limits,
  type MessageWindow,
  ParleyError,
  texts,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Watcher } from '../../hub/connection.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { ChannelPreferences } from '../channel-preferences/service.ts';
import { parseMembers } from '../members/service.ts';
import type { ChannelCreation } from './creation.ts';
import type { ChannelStates } from './state.ts';
import type { StateOptions } from './state-rows.ts';
import {
  allChannels,
  channelFields,
  distinctKey,
  findDistinct,
  isBegun,
  isShown,
  readableChannels,
} from './store.ts';

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

/** Ids that only the server makes: who could choose one could take the place of other people's conversation. */
const directPrefix = '!members-';
const defaultMembers = 30;

type Deps = {
  kernel: Kernel;
  access: Access;
  creation: ChannelCreation;
  states: ChannelStates;
  preferences: ChannelPreferences;
};
type Got = { created: boolean; state: ChannelStateReply };

/** Hidden channels are found only by those who ask for them: by `hidden`, or by name. */
const asksForHidden = (filter: unknown): boolean => /"(hidden|cid|id)":/.test(JSON.stringify(filter ?? {}));

const checkWatch = (watch: boolean | undefined, watcher: Watcher | undefined): void => {
  if (watch && !watcher)
    throw invalid('connection_id', 'watch needs the connection_id of an open connection');
};

const optionsOf = ({ watch, state, presence, messages, members }: StateRequest): StateOptions => ({
  watch,
  state,
  presence,
  messageLimit: messages?.limit ?? limits.pageDefault,
  memberLimit: members?.limit ?? defaultMembers,
  window: messages,
  asText: true,
});

/** Finds channels, and makes the one that is not there yet. */
export class Channels {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Gets the channel, or makes it where the actor may. */
  async getOrCreate(
    actor: Actor,
    { type, id }: { type: string; id: string },
    request: StateRequest,
    watcher?: Watcher,
  ): Promise<Got> {
    checkWatch(request.watch, watcher);
    const { access, creation } = this.#deps;
    const cid = `${type}:${id}`;
    const before = await access.find(cid);
    if (before?.deleted_at)
      throw new ParleyError(
        'NotFound',
        `Channel ${cid} was deleted and its id stays taken: choose another, or let the server delete it for good (hard_delete)`,
      );
    if (!before && id.startsWith(directPrefix))
      throw invalid(
        'id',
        `ids that begin with ${directPrefix} are made by the server for direct conversations`,
      );
    const created =
      before === undefined &&
      (await creation.create(actor, { type, id, input: request.data ?? {}, distinct: null }));
    return { created, state: await this.#show(actor, cid, request, watcher) };
  }

  /** The one channel of exactly these members. */
  async getOrCreateDistinct(
    actor: Actor,
    type: string,
    request: StateRequest,
    watcher?: Watcher,
  ): Promise<Got> {
    checkWatch(request.watch, watcher);
    const { kernel, creation, access, preferences } = this.#deps;
    const input = request.data ?? {};
    if (!input.members || input.members.length === 0) throw invalid('data.members', texts.membersMissing);
    const given = parseMembers(input.members, 'data.members').map((member) => member.userId);
    const own = actor.kind === 'user' ? actor.user.row.id : undefined;
    const people = [...new Set(own === undefined ? given : [...given, own])].sort();
    const key = distinctKey(type, people);
    const id = `${directPrefix}${randomUUID()}`;
    const before = await findDistinct(kernel.db, key);
    const created =
      before === undefined && (await creation.create(actor, { type, id, input, distinct: { key, people } }));
    const cid = created ? `${type}:${id}` : (before ?? (await findDistinct(kernel.db, key)));
    if (cid === undefined)
      throw new ParleyError('NotFound', 'The conversation of these members was deleted just now');
    if (!created && own !== undefined) {
      await creation.rejoin(actor, cid, people);
      const place = await access.look(actor, cid);
      if (typeof place?.member?.hidden_number === 'number') await preferences.show(actor, cid);
    }
    return { created, state: await this.#show(actor, cid, request, watcher) };
  }

  async query(actor: Actor, request: ListRequest, watcher: Watcher | undefined) {
    checkWatch(request.watch, watcher);
    const { kernel, access, states } = this.#deps;
    const own = actor.kind === 'anonymous' ? undefined : actorId(actor);
    const found =
      actor.kind === 'server'
        ? allChannels(kernel.pools.queries)
        : readableChannels(kernel.pools.queries, own, {
            openTypes: await access.openTypes(actor),
            isStaff: isStaffRole(actor.user.row.role),
          }).where(isBegun(own));
    const context = { actorId: own ?? null, countedKinds: await access.countedKinds(actor) };
    const page = await queryPage(
      own === undefined || asksForHidden(request.filter) ? found : found.where(isShown(own)),
      request,
      { fields: channelFields, context, cursorKey: kernel.config.apiSecret },
    );
    const allowed: string[] = [];
    for (const { cid } of page.rows) if (await access.mayRead(actor, cid)) allowed.push(cid);
    const options = {
      watch: request.watch,
      state: request.state,
      presence: request.presence,
      messageLimit: request.message_limit ?? limits.pageDefault,
      memberLimit: request.member_limit ?? defaultMembers,
    };
    const channels = await states.states(actor, allowed, options, watcher);
    return { channels, ...(page.next === undefined ? {} : { next: page.next }) };
  }

  async #show(
    actor: Actor,
    cid: string,
    request: StateRequest,
    watcher: Watcher | undefined,
  ): Promise<ChannelStateReply> {
    await this.#deps.access.enter(actor, cid);
    const [state] = await this.#deps.states.states(actor, [cid], optionsOf(request), watcher);
    if (state) return state;
    await this.#deps.access.enter(actor, cid);
    throw new ParleyError('NotFound', `No channel ${cid}`);
  }
}
