import { useTexts } from '@parley/react';
import { Fragment } from 'react';
import { Logo } from '../app/logo.tsx';
import type { SignInRefusal } from './refusal.ts';
import styles from './sign-in-guide.module.css';
import { signInTexts } from './texts.ts';

export type SignInGuideProps = {
  /** Where the product signs people in. */
  signInUrl: string | undefined;
  /** Why the last sign-in ended. */
  refused: SignInRefusal | undefined;
};

/** The page for visitors who are not signed in, where there is no demo. */
export function SignInGuide({ signInUrl, refused }: SignInGuideProps) {
  const text = useTexts(signInTexts);
  return (
    <main className={`parley ${styles.page}`}>
      <div className={styles.card}>
        <Logo />
        <h1 className={styles.title}>{text('title')}</h1>
        {refused !== undefined && (
          <p role="alert" className={styles.error}>
            {text(refused)}
          </p>
        )}
        {signInUrl === undefined ? (
          <>
            <p className={styles.hint}>{text('hint')}</p>
            <ForAdministrators />
          </>
        ) : (
          <a className={styles.enter} href={signInUrl}>
            {text('enter')}
          </a>
        )}
      </div>
    </main>
  );
}

const command = 'npm run token -- ana --name "Ana Ribeiro"';
const names = { variable: 'PARLEY_SIGN_IN_URL', fragment: '#token=' };

function ForAdministrators() {
  const text = useTexts(signInTexts);
  const pieces = text('product', names).split(/(PARLEY_SIGN_IN_URL|#token=)/);
  return (
    <details className={styles.admin}>
      <summary>{text('administrators')}</summary>
      <p>{text('command')}</p>
      <pre className={styles.command}>{command}</pre>
      <p>
        {pieces.map((piece) => (
          <Fragment key={piece}>
            {Object.values(names).includes(piece) ? <code>{piece}</code> : piece}
          </Fragment>
        ))}
      </p>
    </details>
  );
}
