import { type ParleyClient, selectUserName, times, type User } from '@parley/client';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useChat, useClient, useMe } from '../../chat/chat-provider.tsx';
import type { PersonView } from '../users/people-picker.tsx';
import { channelIdFrom } from './channel-id.ts';
import type { NewConversationChoice as Choice } from './new-conversation-dialog.tsx';

// Loaded when somebody asks for it: most sessions never do.
const NewConversationDialog = lazy(async () => ({
  default: (await import('./new-conversation-dialog.tsx')).NewConversationDialog,
}));

export type NewConversationProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (cid: string) => void;
};

/** Finds people and begins a conversation with them, or makes a channel. */
export function NewConversation({ open, onOpenChange, onCreated }: NewConversationProps) {
  const { client, begun } = useChat();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const search = usePeopleSearch(open);
  const change = (next: boolean) => {
    search.setQuery('');
    setError(undefined);
    onOpenChange(next);
  };
  const create = async (choice: Choice) => {
    setBusy(true);
    setError(undefined);
    try {
      const cid = await begin(client, choice);
      begun.set([cid, ...begun.get()]);
      change(false);
      onCreated(cid);
    } catch (reason) {
      setError((reason as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const [wasAsked, setWasAsked] = useState(open);
  if (open && !wasAsked) setWasAsked(true);
  if (!wasAsked) return null;
  return (
    <Suspense>
      <NewConversationDialog
        open={open}
        onOpenChange={change}
        people={search.people}
        onSearch={search.setQuery}
        searching={search.isBusy}
        onCreate={(choice) => void create(choice)}
        busy={busy}
        error={error}
      />
    </Suspense>
  );
}

const begin = (client: ParleyClient, choice: Choice): Promise<string> => {
  if (choice.kind === 'direct') return client.channels.direct(choice.personIds);
  const { name, personIds } = choice;
  return client.channels.open('messaging', channelIdFrom(name), { name, members: [...personIds] });
};

/** Not a field of ours, but one that many apps give their users. */
const titleOf = ({ title }: User & { title?: unknown }): string | undefined =>
  typeof title === 'string' ? title : undefined;

const viewOf = (user: User): PersonView => ({
  id: user.id,
  name: selectUserName(user),
  imageUrl: user.image,
  online: user.online,
  detail: titleOf(user),
});

type Found = { query: string; people: readonly PersonView[] };

/** People by name, asked for when the typing pauses. */
function usePeopleSearch(isActive: boolean) {
  const client = useClient();
  const ownId = useMe()?.id;
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (!isActive || ownId === undefined) return;
    let isOver = false;
    const name = query.trim();
    const ask = async () => {
      const filter =
        name === '' ? { id: { $ne: ownId } } : { name: { $autocomplete: name }, id: { $ne: ownId } };
      const page = { filter, sort: [{ field: 'name', direction: 1 as const }], limit: 30, presence: true };
      const users = await client.users.query(page).then(
        (reply) => reply.users,
        () => [],
      );
      if (!isOver) setFound({ query, people: users.map(viewOf) });
    };
    const timer = setTimeout(() => void ask(), name === '' ? 0 : times.searchDebounce);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, ownId, query, isActive]);
  return { people: found?.people ?? [], isBusy: isActive && found?.query !== query, setQuery };
}
