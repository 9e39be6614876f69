import type { ParleyClient } from '@parley/client';
import { useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { toError } from '../../ui/to-error.ts';
import { channelIdFrom } from './channel-id.ts';
import { type NewConversationChoice as Choice, NewConversationDialog } from './new-conversation-dialog.tsx';
import { usePeopleSearch } from './use-people-search.ts';

export type NewConversationProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (cid: string) => void;
};

export function NewConversationFlow({ open, onOpenChange, onCreated }: NewConversationProps) {
  const client = useClient();
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
      change(false);
      onCreated(cid);
    } catch (reason) {
      setError(toError(reason).message);
    } finally {
      setBusy(false);
    }
  };
  return (
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
  );
}

const begin = (client: ParleyClient, choice: Choice): Promise<string> => {
  if (choice.kind === 'direct') return client.channels.direct(choice.personIds);
  const { name, personIds } = choice;
  return client.channels.open('messaging', channelIdFrom(name), { name, members: [...personIds] });
};
