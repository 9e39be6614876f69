import { type SearchHandle, search as searchFeature } from '@parley/client/search';
import { useEffect, useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';

/** A search for as long as the panel is shown. */
export function useSearchHandle(): SearchHandle {
  const { create } = useFeature(searchFeature);
  const [search] = useState(create);
  useEffect(() => () => search.stop(), [search]);
  return search;
}
