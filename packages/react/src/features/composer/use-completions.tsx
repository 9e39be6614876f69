import { type ParleyClient, selectUserName, type User } from '@parley/client';
import { type Command, canUseCommand } from '@parley/client/commands';
import { times } from '@parley/client/limits';
import { useEffect, useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useTexts } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { outgoingOf } from '../commands/outgoing.ts';
import type { Emoji } from '../reactions/emoji-data.ts';
import { emojiTone, withTone } from '../reactions/emoji-tones.ts';
import { loadEmojis, loadedEmojis } from '../reactions/load-emojis.ts';
import { rememberEmoji } from '../reactions/recent-emojis.ts';
import type { Completion } from './completion-list.tsx';
import type { Trigger } from './composer-trigger.ts';
import { completionTexts } from './late-texts.ts';
import { fits, groupsFor } from './mention-groups.ts';

const most = 8;
const nothing: readonly never[] = [];

const personOf = (user: User, client: ParleyClient): Completion => {
  const name = selectUserName(user);
  return {
    id: `user ${user.id}`,
    lead: <Avatar id={user.id} name={name} imageUrl={user.image} size="s" online={user.online} />,
    label: name,
    detail: name === user.id ? undefined : user.id,
    insert: `@${name}`,
    onChosen: () => outgoingOf(client).mentions.choose(user),
  };
};

const commandOf = ({ name, args, description }: Command): Completion => ({
  id: `command ${name}`,
  lead: '/',
  label: args === '' ? name : `${name} ${args}`,
  detail: description,
  insert: `/${name}`,
});

/** Searches people on the server, when the typing pauses. */
function usePeople(cid: string, query: string | undefined, everyone: boolean): readonly User[] {
  const client = useClient();
  const [found, setFound] = useState<readonly User[]>(nothing);
  useEffect(() => {
    if (query === undefined) return;
    let isOver = false;
    const ask = async () => {
      const { mentions } = outgoingOf(client);
      const people = await (everyone ? mentions.searchEveryone(query) : mentions.search(cid, query)).catch(
        () => nothing,
      );
      if (!isOver) setFound(people);
    };
    const timer = setTimeout(() => void ask(), times.searchDebounce);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, cid, query, everyone]);
  return query === undefined ? nothing : found;
}

function useCommands(wanted: boolean): readonly Command[] {
  const client = useClient();
  const [commands, setCommands] = useState<readonly Command[]>(nothing);
  useEffect(() => {
    let isOver = false;
    const take = (list: readonly Command[]) => {
      if (!isOver) setCommands(list);
    };
    if (wanted)
      outgoingOf(client)
        .commands.list()
        .then(take, () => undefined);
    return () => {
      isOver = true;
    };
  }, [client, wanted]);
  return commands;
}

function useEmojis(isWanted: boolean) {
  const [, setArrived] = useState(false);
  useEffect(() => {
    if (!isWanted || loadedEmojis() !== undefined) return;
    let isOver = false;
    const take = () => {
      if (!isOver) setArrived(true);
    };
    loadEmojis().then(take, () => undefined);
    return () => {
      isOver = true;
    };
  }, [isWanted]);
  return isWanted ? loadedEmojis() : undefined;
}

const emojisOf = (found: readonly Emoji[]): readonly Completion[] =>
  found.map(({ char, name }) => {
    const toned = withTone(char, emojiTone());
    return {
      id: `emoji ${char}`,
      lead: toned,
      label: `:${name}:`,
      insert: toned,
      onChosen: () => rememberEmoji(toned),
    };
  });

/** The completions of the word being typed; loaded people at once, others when the server has answered. */
export function useCompletions(
  cid: string,
  trigger: Trigger | undefined,
  isInviting: boolean,
): readonly Completion[] {
  const client = useClient();
  const text = useTexts(completionTexts);
  const kind = trigger?.kind;
  const query = trigger?.query.trimEnd() ?? '';
  const people = usePeople(cid, kind === 'mention' ? query : undefined, isInviting);
  const commands = useCommands(kind === 'command');
  const emojis = useEmojis(kind === 'emoji');
  const state = client.channels.state(cid).get();
  if (kind === 'emoji') return emojisOf(emojis?.findEmojis(query, most) ?? nothing);
  if (kind === 'command')
    return commands
      .filter(({ name }) => name.startsWith(query.toLowerCase()) && canUseCommand(state, name))
      .map(commandOf);
  if (kind !== 'mention') return nothing;
  // The client knows the names of groups, not the words by which the list shows them.
  const near = isInviting ? nothing : outgoingOf(client).mentions.near(cid, '');
  const known = near.flatMap((one) => (one.kind === 'user' ? one.user : []));
  const users = new Map<string, User>();
  const isIn = new Set(isInviting ? state?.members.map(({ user_id }) => user_id) : []);
  for (const user of [...known, ...people])
    if (user.id !== state?.ownId && !isIn.has(user.id) && fits(selectUserName(user), query))
      users.set(user.id, user);
  const shown = [...users.values()].slice(0, most).map((user) => personOf(user, client));
  return [...shown, ...groupsFor(near, query, text)];
}
