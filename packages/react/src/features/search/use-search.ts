import { createSearch, type SearchHandle } from '@parley/client/search';
import { useEffect, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';

/** A search for as long as the panel is shown. */
export function useSearchHandle(): SearchHandle {
  const client = useClient();
  const [search] = useState(() => createSearch(client));
  useEffect(() => () => search.stop(), [search]);
  return search;
}
