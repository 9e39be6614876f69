import type { Message } from '@parley/client';
import {
  ChannelListSkeleton,
  IconButton,
  IconClose,
  IconSearch,
  lazyPart,
  type MissingProps,
  TextField,
  useTexts,
} from '@parley/react';
import { PanelMissing } from '@parley/react/late-panel';
import { type ReactNode, useState } from 'react';
import { appTexts } from '../app/texts.ts';
import styles from './sidebar-search.module.css';

export type SidebarSearchProps = {
  cid: string | undefined;
  words: string;
  onWords: (typed: string) => void;
  onOpenMessage: (message: Message) => void;
  onOpenChannel: (cid: string) => void;
  onClose: () => void;
};

type LateSearchProps = SidebarSearchProps & { typed: string; onType: (typed: string) => void };

const LateSearch = lazyPart<LateSearchProps>(async () => (await import('@parley/react/search')).SearchPanel, {
  Waiting: SearchWaiting,
  Missing: SearchMissing,
});

/** Stands in the place of the list of channels while somebody searches. */
export function SidebarSearch(props: SidebarSearchProps) {
  const [typed, setTyped] = useState('');
  return <LateSearch {...props} typed={typed} onType={setTyped} />;
}

/** The field of the search before the rest of it is there: nothing that is typed meanwhile is lost. */
function SearchFrame({ typed, onType, onClose, children }: LateSearchProps & { children: ReactNode }) {
  const text = useTexts(appTexts);
  return (
    <search className={styles.panel} aria-label={text('search')}>
      <div className={styles.top}>
        <TextField
          ref={focusOn}
          type="search"
          label={text('search')}
          hideLabel
          maxLength={500}
          value={typed}
          onChange={onType}
          onKeyDown={(event) => event.key === 'Escape' && !event.nativeEvent.isComposing && onClose()}
          className={styles.field}
          leading={<IconSearch size={18} />}
        />
        <IconButton label={text('close')} tooltip="none" onClick={onClose}>
          <IconClose />
        </IconButton>
      </div>
      {children}
    </search>
  );
}

const focusOn = (field: HTMLInputElement | null) => field?.focus();

function SearchWaiting(props: LateSearchProps) {
  return (
    <SearchFrame {...props}>
      <ChannelListSkeleton label={useTexts(appTexts)('loading')} />
    </SearchFrame>
  );
}

function SearchMissing({ onRetry, ...props }: LateSearchProps & MissingProps) {
  return (
    <SearchFrame {...props}>
      <PanelMissing onRetry={onRetry} />
    </SearchFrame>
  );
}

export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const text = useTexts(appTexts);
  return (
    <button type="button" className={styles.open} onClick={onOpen}>
      <IconSearch size={18} />
      {text('search')}
    </button>
  );
}
