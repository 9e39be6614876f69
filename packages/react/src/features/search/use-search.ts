import { type SearchHandle, search as searchFeature } from '@parley/client/search';
import { useEffect, useEffectEvent, useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';

/** A search for as long as the panel is shown; begins with the given words. */
export function useSearchHandle(typed = ''): SearchHandle {
  const { create } = useFeature(searchFeature);
  const [search] = useState(create);
  const begin = useEffectEvent(() => {
    if (typed !== '') search.type(typed);
  });
  useEffect(() => {
    begin();
    return () => search.stop();
  }, [search]);
  return search;
}
