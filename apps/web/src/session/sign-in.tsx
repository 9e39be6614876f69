import type { User } from '@parley/client';
import { type PersonView, useTexts } from '@parley/react';
import { SignInCard, type SignInChoice } from '@parley/react/users';
import { useEffect, useState } from 'react';
import { Logo } from '../app/logo.tsx';
import { toError } from '../app/to-error.ts';
import type { DevApi } from './dev-api.ts';
import { personIdFrom, type Session } from './session.ts';
import { signInTexts } from './texts.ts';

const viewOf = (user: User & { title?: unknown }): PersonView => ({
  id: user.id,
  name: user.name ?? user.id,
  imageUrl: user.image,
  ...(typeof user.title === 'string' && { detail: user.title }),
});

const sessionOf = (choice: SignInChoice, guestName: string): Session => {
  switch (choice.kind) {
    case 'person':
      return { kind: 'user', id: choice.id };
    case 'named':
      return { kind: 'user', id: personIdFrom(choice.name, Math.random), name: choice.name };
    case 'guest': {
      const name = choice.name || guestName;
      return { kind: 'guest', id: personIdFrom(name, Math.random), name };
    }
    case 'anonymous':
      return { kind: 'anonymous' };
  }
};

export type SignInProps = { api: DevApi; onSignIn: (session: Session) => void };

export function SignIn({ api, onSignIn }: SignInProps) {
  const text = useTexts(signInTexts);
  const [people, setPeople] = useState<readonly PersonView[]>([]);
  const [busy, setBusy] = useState<SignInChoice>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isOver = false;
    api.people().then(
      (users) => !isOver && setPeople(users.slice(0, 8).map(viewOf)),
      (reason: Error) => !isOver && setError(reason.message),
    );
    return () => {
      isOver = true;
    };
  }, [api]);
  const enter = async (choice: SignInChoice) => {
    const session = sessionOf(choice, text('guest'));
    setBusy(choice);
    setError(undefined);
    try {
      // A person whom the server does not let in should read it here, not on an empty screen.
      if (session.kind === 'user') await api.token(session.id, session.name);
      onSignIn(session);
    } catch (reason) {
      setError(toError(reason).message);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <SignInCard
      people={people}
      busy={busy}
      error={error}
      logo={<Logo />}
      onSignIn={(choice) => void enter(choice)}
    />
  );
}
