import { Dialog, EmptyState, IconSearch, Spinner, TextField, useTexts } from '@parley/react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { EarlyTyping } from './early-typing.ts';
import styles from './switcher.module.css';
import { chosenOf, type Entry, type EntrySection, keptKey, sectionsOf } from './switcher-entries.ts';
import { EntryRow } from './switcher-row.tsx';
import { keyTexts } from './texts.ts';
import { type SwitcherWays, useSwitcherEntries } from './use-switcher-entries.ts';

export type SwitcherProps = {
  /** The conversation that is open. */
  cid: string | undefined;
  recent: readonly string[];
  ways: SwitcherWays;
  /** The letters that were typed while this was being loaded. */
  early: EarlyTyping;
  onClose: () => void;
};

/** Conversations, people and actions by a few letters. */
export function Switcher(props: SwitcherProps) {
  const text = useTexts(keyTexts);
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title={text('goTo')}>
      <Field {...props} />
    </Dialog>
  );
}

/** The field takes the focus and the letters at once, also on a phone: that is what it was opened for. */
function useStart(early: EarlyTyping, setTyped: (typed: string) => void) {
  const field = useRef<HTMLInputElement>(null);
  const start = useEffectEvent(() => {
    // At once: a letter that comes before they are in the field would take their place.
    flushSync(() => setTyped(early.take()));
    field.current?.focus();
  });
  // A dialog whose place it takes gives the focus back in a microtask, to what lies below both.
  useEffect(() => queueMicrotask(start), []);
  return field;
}

function Field({ cid, recent, ways, early, onClose }: SwitcherProps) {
  const text = useTexts(keyTexts);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState<string>();
  const { entries, isBusy } = useSwitcherEntries(typed, ways);
  const sections = sectionsOf(entries, typed, recent, cid);
  const shown = sections.flatMap((section) => section.entries);
  const chosen = chosenOf(shown, active);
  // Entries that the server finds a moment later do not take the place of the one that Enter was about to choose.
  const kept = active ?? keptKey(typed, chosen);
  if (kept !== active) setActive(kept);
  const field = useStart(early, setTyped);
  const listId = useId();
  const idOf = ({ key }: Entry) => `${listId}-${key}`;
  const choose = (entry: Entry) => {
    onClose();
    entry.act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Safari ends the composition before the keydown and marks it only by the code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (!['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'Enter') return chosen && choose(chosen);
    const by = event.key === 'ArrowDown' ? 1 : -1;
    const at = chosen === undefined ? 0 : shown.indexOf(chosen);
    setActive(shown[(at + by + shown.length) % shown.length]?.key);
  };
  const type = (next: string) => {
    setTyped(next);
    setActive(undefined);
  };
  return (
    <div className={styles.switcher}>
      <TextField
        ref={field}
        data-first-focus=""
        type="search"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-activedescendant={chosen && idOf(chosen)}
        label={text('goToField')}
        hideLabel
        placeholder={text('goToField')}
        maxLength={200}
        value={typed}
        onChange={type}
        onKeyDown={onKeyDown}
        leading={<IconSearch size={18} />}
        trailing={isBusy && <Spinner size={16} />}
      />
      <Results {...{ sections, chosen, listId, idOf, choose }} isEmpty={shown.length === 0 && !isBusy} />
    </div>
  );
}

type ResultsProps = {
  sections: readonly EntrySection[];
  chosen: Entry | undefined;
  listId: string;
  idOf: (entry: Entry) => string;
  choose: (entry: Entry) => void;
  isEmpty: boolean;
};

function Results({ sections, chosen, listId, idOf, choose, isEmpty }: ResultsProps) {
  const text = useTexts(keyTexts);
  const list = useRef<HTMLDivElement>(null);
  const key = chosen?.key;
  useEffect(() => {
    if (key !== undefined)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [key]);
  return (
    <div
      ref={list}
      id={listId}
      role="listbox"
      aria-label={text('results')}
      className={styles.list}
      tabIndex={-1}
    >
      {isEmpty && <EmptyState title={text('nothing')} hint={text('nothingHint')} />}
      {sections.map(({ group, entries }) => (
        <fieldset key={group} aria-label={text(group)} className={styles.group}>
          <div className={styles.heading} aria-hidden="true">
            {text(group)}
          </div>
          {entries.map((entry) => (
            <EntryRow
              key={entry.key}
              id={idOf(entry)}
              entry={entry}
              isChosen={entry.key === key}
              onChoose={() => choose(entry)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}
