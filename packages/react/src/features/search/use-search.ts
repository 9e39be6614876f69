import { times } from '@parley/client/limits';
import { type SearchHandle, search as searchFeature } from '@parley/client/search';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useFeature, useOwnId } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';

type Words = string | undefined;
type OnWords = ((typed: string) => void) | undefined;

/** A search for as long as the panel is shown; begins with the text that was typed while it was loading. */
export function useSearchHandle(typed: Words, words: Words, onWords: OnWords): SearchHandle {
  const { create } = useFeature(searchFeature);
  const [search] = useState(create);
  const begin = useEffectEvent(() => {
    if (typed) search.type(typed);
  });
  useEffect(() => {
    begin();
    return () => search.stop();
  }, [search]);
  useSearchWords(search, words, onWords);
  return search;
}

/** Keeps the words of a search and those of the product, such as an address, the same. */
function useSearchWords(search: SearchHandle, words: Words, onWords: OnWords): void {
  const reported = useRef('');
  const typed = useReadable(search, (state) => state.typed);
  const isConnected = useOwnId() !== undefined;
  const report = useEffectEvent((next: string) => {
    if (next === reported.current) return;
    reported.current = next;
    onWords?.(next);
  });
  useEffect(() => {
    // The report of earlier words may arrive when more is typed already. Connecting empties what was typed before.
    if (!isConnected || words === undefined || words === reported.current) return;
    reported.current = words;
    search.type(words);
  }, [search, words, isConnected]);
  useEffect(() => {
    const timer = setTimeout(() => report(typed), times.searchDebounce);
    return () => clearTimeout(timer);
  }, [typed]);
}
