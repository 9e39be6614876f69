/** `@parley/client/mentions`: the mentions of a message, and finding people to mention. */

import type { MessageInput, User } from '@parley/protocol';
import { builtInRoles } from '@parley/protocol/capabilities';
import { toPrefix } from '@parley/protocol/limits';
import type { Feature, FeatureCore } from '../../client.ts';
import type { ChannelState } from '../../sync/state.ts';
import { selectUserName } from '../users/selectors.ts';
import { type Called, canMentionEveryone } from './selectors.ts';
import { findMentions, type Label } from './text.ts';

export { type Called, canMentionEveryone, hasUnreadMention, isMentioned, selectCalled } from './selectors.ts';
export { type Found, findMentions, type Label } from './text.ts';

export type MentionInput = Pick<
  MessageInput,
  'mentioned_users' | 'mentioned_roles' | 'mentioned_here' | 'mentioned_channel'
>;

/** Roles of moderators; the other built-in roles are too broad to be mentioned. */
const moderatorRoles = builtInRoles.filter((role) => role === 'admin' || role.endsWith('moderator'));
const plain: ReadonlySet<string> = new Set([...builtInRoles, 'owner']);

/** Roles that a message may mention: those of moderators, and those of the app that a member has. */
const calledRoles = ({ members }: ChannelState): string[] => {
  const held = members.flatMap(({ user, channel_role }) => [user?.role ?? '', channel_role]);
  const own = held.filter((role) => role !== '' && !plain.has(role));
  return [...moderatorRoles, ...new Set(own)];
};

const peopleOf = (state: ChannelState): User[] => {
  const people = new Map<string, User>();
  for (const { user } of state.members) if (user) people.set(user.id, user);
  for (const { user } of state.messages) if (user) people.set(user.id, people.get(user.id) ?? user);
  return [...people.values()];
};

const fits = (name: string, query: string): boolean => {
  const sought = query.toLowerCase();
  return ` ${name.toLowerCase()}`.includes(` ${sought}`);
};

const isCalled = (value: Called | undefined): value is Called => value !== undefined;

export type Mentions = ReturnType<typeof createMentions>;

const createMentions = ({ client, resets }: FeatureCore) => {
  const chosen = new Map<string, User>();
  resets.push(() => chosen.clear());
  const labelsIn = (state: ChannelState | undefined): Label<Called>[] => {
    const people = [...chosen.values(), ...(state ? peopleOf(state) : [])];
    const named = people.map((user) => ({
      name: selectUserName(user),
      value: { kind: 'user' as const, user },
    }));
    if (!state || !canMentionEveryone(state)) return named;
    return [
      ...named,
      { name: 'here', value: { kind: 'here' } },
      { name: 'channel', value: { kind: 'channel' } },
      ...calledRoles(state).map((role) => ({ name: role, value: { kind: 'role' as const, role } })),
    ];
  };
  const called = (cid: string, text: string): Called[] =>
    text.includes('@')
      ? findMentions(text, labelsIn(client.channels.state(cid).get()))
          .map(({ value }) => value)
          .filter(isCalled)
      : [];
  return {
    /** Keeps somebody in mind whose name was put into a text. */
    choose: (user: User): void => void chosen.set(selectUserName(user).toLowerCase(), user),
    /** The mentions in the text, in their order. */
    called,
    /** The fields of a message with this text that name its mentions. */
    inputOf: (cid: string, text: string): MentionInput => {
      const all = called(cid, text);
      const users = [...new Set(all.flatMap((one) => (one.kind === 'user' ? [one.user.id] : [])))];
      const roles = [...new Set(all.flatMap((one) => (one.kind === 'role' ? [one.role] : [])))];
      return {
        ...(users.length > 0 && { mentioned_users: users }),
        ...(roles.length > 0 && { mentioned_roles: roles }),
        ...(all.some(({ kind }) => kind === 'here') && { mentioned_here: true }),
        ...(all.some(({ kind }) => kind === 'channel') && { mentioned_channel: true }),
      };
    },
    /** Suggestions without a call: people of the channel, and mentions of groups. */
    near: (cid: string, query: string): Called[] => {
      const state = client.channels.state(cid).get();
      if (!state) return [];
      const people = peopleOf(state)
        .filter((user) => user.id !== state.ownId && fits(selectUserName(user), query))
        .map((user) => ({ kind: 'user' as const, user }));
      // The words of a role are joined by underscores: "mod" finds "channel_moderator".
      const groups = labelsIn(state).filter(
        ({ name, value }) => value.kind !== 'user' && `_${name}`.includes(`_${query.toLowerCase()}`),
      );
      return [...people, ...groups.map(({ value }) => value)];
    },
    /** Members of the channel by name, from the server. */
    search: async (cid: string, query: string): Promise<User[]> => {
      const { members } = await client.members.query(cid, {
        ...(query === '' ? {} : { filter: { name: { $autocomplete: toPrefix(query) } } }),
        limit: 10,
      });
      return members.flatMap(({ user }) => (user ? [user] : []));
    },
    /** People by name, in the channel or not. */
    searchEveryone: async (query: string): Promise<User[]> => {
      const filter = query === '' ? {} : { filter: { name: { $autocomplete: toPrefix(query) } } };
      return (await client.users.query({ ...filter, limit: 10 })).users;
    },
  };
};

/** Finds people to mention in a channel, and the mentions in a text. Remembers who was chosen. */
export const mentions: Feature<Mentions> = { name: 'mentions', create: createMentions };
