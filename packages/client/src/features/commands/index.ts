/** The entry `@parley/client/commands`: the commands that a text can begin with, and their effect. */
import type { Command, MessageInput } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { fromCid } from '../../cid.ts';
import type { Feature, FeatureCore, ParleyClient } from '../../client.ts';
import { type Mentions, mentions as mentionsFeature } from '../mentions/index.ts';
import { type CommandPlace, planReminder, type RemindPlan } from '../reminders/remind-command.ts';
import { selectUserName } from '../users/selectors.ts';
import { canUseCommand, parseCommand } from './selectors.ts';

export type { Command } from '@parley/protocol';
export { canUseCommand, parseCommand } from './selectors.ts';

type CommandReply = 'commandInvited' | 'commandTopic' | 'commandTopicGone';

/** The outcome of sending a text. A refusal names why; the text stays where it was typed. */
export type SendPlan =
  | RemindPlan
  | { kind: 'send'; input: MessageInput }
  | {
      kind: 'act';
      /** Does what the command says. */
      run: () => Promise<unknown>;
      /** The note for the author when it is done. */
      reply?: { text: CommandReply; name: string };
    }
  /** Something is to be filled in first; the text stays until that is sent. */
  | { kind: 'open'; what: 'poll'; args: string }
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

const shrug = '¯\\_(ツ)_/¯';

const refused = (reason: Extract<SendPlan, { kind: 'refused' }>['reason'], name: string): SendPlan => ({
  kind: 'refused',
  reason,
  name,
});

const invite = (client: ParleyClient, mentions: Mentions, cid: string, args: string): SendPlan => {
  const people = mentions.called(cid, args).flatMap((one) => (one.kind === 'user' ? [one.user] : []));
  if (people.length === 0) return refused('commandNeedsPerson', 'invite');
  const ids = [...new Set(people.map(({ id }) => id))];
  const name = [...new Set(people.map(selectUserName))].join(', ');
  return { kind: 'act', run: () => client.members.invite(cid, ids), reply: { text: 'commandInvited', name } };
};

const topic = ({ http }: ParleyClient, cid: string, args: string): SendPlan => {
  const name = args.trim();
  const body = name === '' ? { unset: ['topic'] } : { set: { topic: name } };
  return {
    kind: 'act',
    run: () => http.call('PATCH /channels/{type}/{id}', { path: fromCid(cid), body }),
    reply: { text: name === '' ? 'commandTopicGone' : 'commandTopic', name },
  };
};

export type Commands = ReturnType<typeof createCommands>;

const createCommands = ({ client, resets }: FeatureCore) => {
  const mentions = client.feature(mentionsFeature);
  let loading: Promise<readonly Command[]> | undefined;
  resets.push(() => {
    loading = undefined;
  });
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

  const planOf = (
    place: CommandPlace,
    text: string,
    { name, args }: { name: string; args: string },
  ): SendPlan => {
    const { cid } = place;
    if (!canUseCommand(client.channels.state(cid).get(), name)) return refused('commandNotAllowed', name);
    if (name === 'invite') return invite(client, mentions, cid, args);
    if (name === 'topic') return topic(client, cid, args);
    if (name === 'remind') return planReminder(client, place, args);
    if (name === 'poll') return { kind: 'open', what: name, args: args.trim() };
    if (name === 'me')
      return args.trim() === ''
        ? refused('commandNeedsText', name)
        : plain(cid, args, { command: name, args });
    const said = name === 'shrug' ? `${args} ${shrug}` : text;
    return plain(cid, said, { command: name, args });
  };

  return {
    /** All commands of the app. */
    list,
    /** The outcome of sending this text. Only a text that begins with a command asks the server for anything. */
    plan: (cid: string, text: string, at: Omit<CommandPlace, 'cid'> = {}): SendPlan | Promise<SendPlan> => {
      const command = parseCommand(text);
      if (!command) return plain(cid, text);
      return list().then((known) =>
        known.some(({ name }) => name === command.name)
          ? planOf({ ...at, cid }, text, command)
          : refused('commandUnknown', command.name),
      );
    },
  };
};

/** The commands of the app, and the plan for a text that may be one. */
export const commands: Feature<Commands> = { name: 'commands', create: createCommands };
