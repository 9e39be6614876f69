import { type FormEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { cx, kitRoot } from '../../ui/cx.ts';
import { IconEye, IconUser } from '../../ui/icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { PersonView } from './people-picker.tsx';
import styles from './sign-in-card.module.css';
import { userTexts } from './texts.ts';

/** The way in which somebody signs in. */
export type SignInChoice =
  | { kind: 'person'; id: string }
  | { kind: 'named'; name: string }
  | { kind: 'guest'; name: string }
  | { kind: 'anonymous' };

export type SignInCardProps = {
  people: readonly PersonView[];
  onSignIn: (choice: SignInChoice) => void;
  /** The choice that is being made: its button spins and the others are disabled. */
  busy?: SignInChoice | undefined;
  error?: string | undefined;
  /** Offer these two as well. */
  guest?: boolean;
  anonymous?: boolean;
  logo?: ReactNode;
};

/** The form to sign in with. */
export function SignInCard(props: SignInCardProps) {
  const { people, onSignIn, busy, error, guest = true, anonymous = true, logo } = props;
  const text = useTexts(userTexts);
  const [name, setName] = useState('');
  const waiting = busy !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !waiting) onSignIn({ kind: 'named', name: name.trim() });
  };
  return (
    <main className={cx(kitRoot, styles.page)}>
      <div className={styles.card}>
        {logo}
        <h1 className={styles.title}>{text('signInTitle')}</h1>
        <p className={styles.hint}>{text('signInHint')}</p>
        <PeopleGrid people={people} busy={busy} onPick={(id) => onSignIn({ kind: 'person', id })} />
        <form className={styles.form} onSubmit={submit}>
          <TextField
            className={styles.name}
            label={text('yourName')}
            hideLabel
            placeholder={text('yourName')}
            value={name}
            onChange={setName}
            maxLength={60}
            autoComplete="name"
          />
          <Button
            submit
            variant="primary"
            busy={busy?.kind === 'named'}
            disabled={waiting || name.trim() === ''}
          >
            {text('signIn')}
          </Button>
        </form>
        {error !== undefined && (
          <p role="alert" className={styles.error}>
            {error}
          </p>
        )}
        <OtherWays guest={guest} anonymous={anonymous} busy={busy} name={name.trim()} onSignIn={onSignIn} />
      </div>
    </main>
  );
}

type OtherWaysProps = {
  guest: boolean;
  anonymous: boolean;
  busy: SignInChoice | undefined;
  name: string;
  onSignIn: (choice: SignInChoice) => void;
};

function OtherWays({ guest, anonymous, busy, name, onSignIn }: OtherWaysProps) {
  const text = useTexts(userTexts);
  const waiting = busy !== undefined;
  if (!guest && !anonymous) return null;
  return (
    <div className={styles.others}>
      {guest && (
        <Button
          variant="quiet"
          size="s"
          icon={<IconUser size={16} />}
          busy={busy?.kind === 'guest'}
          disabled={waiting}
          onClick={() => onSignIn({ kind: 'guest', name })}
        >
          {text('guest')}
        </Button>
      )}
      {anonymous && (
        <Button
          variant="quiet"
          size="s"
          icon={<IconEye size={16} />}
          busy={busy?.kind === 'anonymous'}
          disabled={waiting}
          onClick={() => onSignIn({ kind: 'anonymous' })}
        >
          {text('anonymous')}
        </Button>
      )}
    </div>
  );
}

type PeopleGridProps = {
  people: readonly PersonView[];
  busy: SignInChoice | undefined;
  onPick: (id: string) => void;
};

function PeopleGrid({ people, busy, onPick }: PeopleGridProps) {
  return (
    <ul className={styles.people}>
      {people.map((person) => {
        const chosen = busy?.kind === 'person' && busy.id === person.id;
        return (
          <li key={person.id}>
            <button
              type="button"
              className={styles.person}
              disabled={busy !== undefined}
              aria-busy={chosen || undefined}
              onClick={() => onPick(person.id)}
            >
              <Avatar
                id={person.id}
                name={person.name}
                imageUrl={person.imageUrl}
                online={person.online}
                size="xl"
              />
              <span dir="auto" className={styles.personName}>
                {person.name}
              </span>
              {person.detail !== undefined && (
                <span dir="auto" className={styles.detail}>
                  {person.detail}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
