import { selectUserName, type User } from '@parley/client';
import { times, toPrefix } from '@parley/client/limits';
import { useEffect, useState } from 'react';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import type { PersonView } from '../users/people-picker.tsx';

/** Custom data that many apps give their users. */
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

/** Searches people by name, when the typing pauses. */
export function usePeopleSearch(isActive: boolean) {
  const client = useClient();
  const ownId = useOwnId();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (!isActive || ownId === undefined) return;
    let isOver = false;
    const name = query.trim();
    const ask = async () => {
      const filter =
        name === ''
          ? { id: { $ne: ownId } }
          : { name: { $autocomplete: toPrefix(name) }, id: { $ne: ownId } };
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
