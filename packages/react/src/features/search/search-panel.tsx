import type { Message } from '@parley/client';
import type { SearchHandle, SearchState } from '@parley/client/search';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useReadable } from '../../chat/use-readable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClose, IconSearch } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useDirect } from '../channels/use-direct.ts';
import { SearchFilterBar } from './search-filter-bar.tsx';
import { closeToken, type SearchOption, type SearchSection, sectionsOf, stepFrom } from './search-options.ts';
import styles from './search-panel.module.css';
import { SearchRow } from './search-row.tsx';
import { searchTexts } from './texts.ts';
import { useSearchHandle } from './use-search.ts';

export type SearchPanelProps = {
  /** The open channel, for the filter that searches only there. */
  cid?: string | undefined;
  /** The words to begin with, for instance from an address; others than those reported replace what is typed. */
  words?: string | undefined;
  /** Called with what is typed, when the typing has paused. */
  onWords?: ((typed: string) => void) | undefined;
  onOpenMessage: (message: Message) => void;
  onOpenChannel: (cid: string) => void;
  onClose: () => void;
  /** The words to begin with, typed while this panel was loading. */
  typed?: string | undefined;
};

const arrows: Partial<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Search of messages, channels and people in place of the list of channels. */
export function SearchPanel(props: SearchPanelProps) {
  const text = useTexts(searchTexts);
  const search = useSearchHandle(props.typed, props.words, props.onWords);
  const state = useReadable(search);
  const choose = useChoose(props, search);
  const sections = sectionsOf(state);
  const options = sections.flatMap((section) => section.options);
  const keys = options.map(({ key }) => key);
  const [active, setActive] = useState<string>();
  const listId = useId();
  const field = useRef<HTMLDivElement>(null);
  const focusField = () => field.current?.querySelector('input')?.focus();
  useEffect(focusField, []);
  const type = (typed: string) => {
    setActive(undefined);
    search.type(typed);
    focusField();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Safari ends the composition before the keydown and marks it only by the code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') return props.onClose();
    const by = arrows[event.key];
    if (by !== undefined) setActive(stepFrom(keys, active, by));
    const option = options.find(({ key }) => key === active);
    if (event.key === 'Enter' && option) choose(option);
    // The conversation that opens takes the focus before Enter has done its work, which would be a new line there.
    if (by !== undefined || event.key === 'Enter') event.preventDefault();
  };
  const idOf = (key: string) => `${listId}-${key}`;
  return (
    <search className={styles.panel} aria-label={text('search')}>
      <Title text={text('search')} />
      <div ref={field} className={styles.top}>
        <TextField
          type="search"
          role="combobox"
          aria-expanded={keys.length > 0}
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : idOf(active)}
          label={text('search')}
          hideLabel
          placeholder={text('placeholder')}
          maxLength={500}
          value={state.typed}
          onChange={type}
          onKeyDown={onKeyDown}
          className={styles.field}
          leading={<IconSearch size={18} />}
          trailing={state.status === 'loading' && <Spinner size={16} />}
        />
        <IconButton label={text('close')} tooltip="none" onClick={props.onClose}>
          <IconClose />
        </IconButton>
      </div>
      <SearchFilterBar cid={props.cid} state={state} onType={type} />
      <Results
        {...{ state, sections, active, idOf, listId }}
        onChoose={choose}
        onRetry={() => search.retry()}
      />
    </search>
  );
}

function Title({ text }: { text: string }) {
  const Heading = useIsNarrow() ? 'h1' : 'h2';
  return <Heading className={styles.hidden}>{text}</Heading>;
}

/** Chooses an option: a filter that is being typed is completed, everything else is opened. */
function useChoose(props: SearchPanelProps, search: SearchHandle) {
  const openDirect = useDirect();
  return (option: SearchOption): void => {
    const { typed, parsed } = search.get();
    const fill = (token: string) => search.type(closeToken(typed, token));
    if (option.kind === 'more') void search.loadMore(option.group);
    else if (option.kind === 'message') props.onOpenMessage(option.hit.message);
    else if (option.kind === 'channel')
      parsed.open ? fill(`in:${option.channel.cid}`) : props.onOpenChannel(option.channel.cid);
    else if (parsed.open) fill(`from:${option.user.id}`);
    else openDirect([option.user.id]).then(props.onOpenChannel, () => {});
  };
}

type ResultsProps = {
  state: SearchState;
  sections: readonly SearchSection[];
  active: string | undefined;
  idOf: (key: string) => string;
  listId: string;
  onChoose: (option: SearchOption) => void;
  onRetry: () => void;
};

function Results({ state, sections, active, idOf, listId, onChoose, onRetry }: ResultsProps) {
  const text = useTexts(searchTexts);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== undefined)
      shown.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (state.status === 'idle') return <p className={styles.hint}>{text('hint')}</p>;
  if (state.status === 'failed')
    return <EmptyState title={text('failed')} action={<Button onClick={onRetry}>{text('retry')}</Button>} />;
  if (state.status === 'ready' && sections.length === 0)
    return <EmptyState icon={<IconSearch size={28} />} title={text('nothing')} hint={text('nothingHint')} />;
  const { open } = state.parsed;
  const title = open && (open.key === 'from' ? text('pickPerson') : text('pickChannel'));
  return (
    <div
      ref={shown}
      id={listId}
      role="listbox"
      aria-label={text('results')}
      className={styles.list}
      tabIndex={-1}
    >
      {sections.map(({ group, options }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of a listbox, not of form fields
        <div key={group} role="group" aria-label={title ?? text(group)}>
          <div className={styles.heading} aria-hidden="true">
            {title ?? text(group)}
          </div>
          {options.map((option) => (
            <SearchRow
              key={option.key}
              id={idOf(option.key)}
              option={option}
              active={option.key === active}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
