/** `@parley/client/commands`: what one may write after a slash, and what it does. */
import type { Command, MessageInput } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { fromCid } from '../../cid.ts';
import type { ParleyClient } from '../../client.ts';
import type { ChannelState } from '../../sync/state.ts';
import { canManageMembers, canUpdateChannel } from '../channels/selectors.ts';
import type { Mentions } from '../mentions/index.ts';

export type { Command } from '@parley/protocol';

/** What sending a text comes to. A refusal names why; the text stays where it was typed. */
export type SendPlan =
  | { kind: 'send'; input: MessageInput }
  | { kind: 'act'; run: () => Promise<unknown> }
  | {
      kind: 'refused';
      reason:
        | 'commandUnknown'
        | 'commandNotAllowed'
        | 'commandNeedsText'
        | 'commandNeedsPerson'
        | 'tooManyMentions';
      name: string;
    };

/** The command that a text begins with. A space before the slash makes it plain text. */
export const parseCommand = (text: string): { name: string; args: string } | undefined => {
  const match = /^\/([a-z][a-z0-9_-]*)(?:\s+([\s\S]*))?$/i.exec(text.trimEnd());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), args: match[2] ?? '' };
};

const shrug = '¯\\_(ツ)_/¯';

/** Whether the own user may do in this channel what the command does. */
export const canUseCommand = (state: ChannelState | undefined, name: string): boolean => {
  if (name === 'invite') return state !== undefined && canManageMembers(state);
  return name === 'topic' ? state !== undefined && canUpdateChannel(state) : true;
};

const refused = (reason: Extract<SendPlan, { kind: 'refused' }>['reason'], name: string): SendPlan => ({
  kind: 'refused',
  reason,
  name,
});

export type Commands = ReturnType<typeof createCommands>;

/** The commands of the app, and the plan for a text that may be one. */
export const createCommands = (client: ParleyClient, mentions: Mentions) => {
  let loading: Promise<readonly Command[]> | undefined;
  const list = (): Promise<readonly Command[]> => {
    loading ??= client.http.call('GET /commands', {}).then(
      ({ commands }) => commands,
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  const plain = (cid: string, text: string, more: Partial<MessageInput> = {}): SendPlan => {
    const called = mentions.inputOf(cid, text);
    if ((called.mentioned_users?.length ?? 0) > limits.mentionsPerMessage)
      return refused('tooManyMentions', String(limits.mentionsPerMessage));
    return { kind: 'send', input: { text: text.trim(), ...called, ...more } };
  };

  const invite = (cid: string, args: string): SendPlan => {
    const ids = mentions.called(cid, args).flatMap((one) => (one.kind === 'user' ? [one.user.id] : []));
    if (ids.length === 0) return refused('commandNeedsPerson', 'invite');
    return { kind: 'act', run: () => client.members.invite(cid, [...new Set(ids)]) };
  };

  const topic = (cid: string, args: string): SendPlan => {
    const body = args.trim() === '' ? { unset: ['topic'] } : { set: { topic: args.trim() } };
    return {
      kind: 'act',
      run: () => client.http.call('PATCH /channels/{type}/{id}', { path: fromCid(cid), body }),
    };
  };

  const planOf = (cid: string, text: string, { name, args }: { name: string; args: string }): SendPlan => {
    if (!canUseCommand(client.channels.state(cid).get(), name)) return refused('commandNotAllowed', name);
    if (name === 'invite') return invite(cid, args);
    if (name === 'topic') return topic(cid, args);
    if (name === 'me')
      return args.trim() === ''
        ? refused('commandNeedsText', name)
        : plain(cid, args, { command: name, args });
    const said = name === 'shrug' ? `${args} ${shrug}` : text;
    return plain(cid, said, { command: name, args });
  };

  return {
    list,
    /** What sending this text comes to. Only a text that begins with a command asks the server for anything. */
    plan: (cid: string, text: string): SendPlan | Promise<SendPlan> => {
      const command = parseCommand(text);
      if (!command) return plain(cid, text);
      return list().then((known) =>
        known.some(({ name }) => name === command.name)
          ? planOf(cid, text, command)
          : refused('commandUnknown', command.name),
      );
    },
  };
};
