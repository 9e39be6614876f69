import type { Message } from '@parley/client';
import { IconSearch, lazyPart, useTexts } from '@parley/react';
import { useEffect } from 'react';
import { appTexts } from '../app/texts.ts';
import styles from './sidebar-search.module.css';

export type SidebarSearchProps = {
  cid: string | undefined;
  onOpenMessage: (message: Message) => void;
  onOpenChannel: (cid: string) => void;
  onClose: () => void;
};

/** Stands in the place of the list of channels while somebody searches. */
export const SidebarSearch = lazyPart<SidebarSearchProps>(
  async () => (await import('@parley/react/search')).SearchPanel,
);

export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const text = useTexts(appTexts);
  return (
    <button type="button" className={styles.open} onClick={onOpen}>
      <IconSearch size={18} />
      {text('search')}
    </button>
  );
}

/** Ctrl or Cmd with F: what is found reaches further than what the browser sees on the page. */
export function useFindShortcut(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [act]);
}
