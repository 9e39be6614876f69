import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { IconCheck, IconClose, IconSearch } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useFirstFocus } from '../../ui/use-first-focus.ts';
import { lateUserTexts } from './late-texts.ts';
import styles from './people-picker.module.css';

export type PersonView = {
  id: string;
  name: string;
  imageUrl?: string | undefined;
  online?: boolean | undefined;
  detail?: string | undefined;
};

export type PeoplePickerProps = {
  people: readonly PersonView[];
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
  /** With it the caller searches; without it the given people are filtered here. */
  onSearch?: (query: string) => void;
  searching?: boolean;
  /** False where a field before it takes the focus. Default true. */
  isFirst?: boolean;
};

export function PeoplePicker(props: PeoplePickerProps) {
  const { people, selected, onChange, onSearch, searching = false, isFirst = true } = props;
  const text = useTexts(lateUserTexts);
  const [query, setQuery] = useState('');
  const field = useFirstFocus(isFirst);
  const [toggled, setToggled] = useState<readonly PersonView[]>([]);
  const { shown, hold } = useHeld(
    onSearch === undefined ? people.filter((person) => matches(person, query)) : people,
  );

  const search = (next: string) => {
    setQuery(next);
    onSearch?.(next);
  };
  const toggle = (person: PersonView) => {
    const taken = selected.includes(person.id);
    setToggled([...toggled.filter(({ id }) => id !== person.id), person]);
    onChange(taken ? selected.filter((id) => id !== person.id) : [...selected, person.id]);
  };

  return (
    <div className={styles.picker}>
      <TextField
        ref={field}
        type="search"
        label={text('searchPeople')}
        hideLabel
        placeholder={text('searchPeople')}
        value={query}
        onChange={search}
        leading={<IconSearch size={18} />}
        trailing={searching && <Spinner size={16} />}
      />
      <Chosen people={toggled.filter(({ id }) => selected.includes(id))} onRemove={toggle} />
      <ul className={styles.list} aria-label={text('people')} onPointerDown={hold}>
        {shown.map((person) => (
          <li key={person.id}>
            <PersonButton person={person} selected={selected.includes(person.id)} onToggle={toggle} />
          </li>
        ))}
        {shown.length === 0 && !searching && <li className={styles.empty}>{text('noPeopleFound')}</li>}
      </ul>
    </div>
  );
}

/** The people stay as they are from the press of a pointer to its release: a row that results move away meanwhile gets no click. */
function useHeld(people: readonly PersonView[]) {
  const [held, setHeld] = useState<readonly PersonView[]>();
  const hold = () => {
    const pressed = new AbortController();
    const release = () => {
      pressed.abort();
      // The click comes after the release.
      setTimeout(setHeld, 0, undefined);
    };
    for (const type of ['pointerup', 'pointercancel'])
      addEventListener(type, release, { signal: pressed.signal });
    setHeld(people);
  };
  return { shown: held ?? people, hold };
}

function matches(person: PersonView, query: string): boolean {
  return person.name.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase());
}

type PersonButtonProps = { person: PersonView; selected: boolean; onToggle: (person: PersonView) => void };

function PersonButton({ person, selected, onToggle }: PersonButtonProps) {
  return (
    <button type="button" className={styles.person} aria-pressed={selected} onClick={() => onToggle(person)}>
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} online={person.online} />
      <span className={styles.words}>
        <span dir="auto" className={styles.name}>
          {person.name}
        </span>
        {person.detail !== undefined && (
          <span dir="auto" className={styles.detail}>
            {person.detail}
          </span>
        )}
      </span>
      <span className={styles.check}>{selected && <IconCheck size={14} />}</span>
    </button>
  );
}

function Chosen({
  people,
  onRemove,
}: {
  people: readonly PersonView[];
  onRemove: (person: PersonView) => void;
}) {
  const text = useTexts(lateUserTexts);
  if (people.length === 0) return null;
  return (
    <ul className={styles.chosen}>
      {people.map((person) => (
        <li key={person.id}>
          <button
            type="button"
            className={styles.chip}
            aria-label={text('removePerson', { name: person.name })}
            onClick={() => onRemove(person)}
          >
            <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} size="xs" />
            <span dir="auto">{person.name}</span>
            <IconClose size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
