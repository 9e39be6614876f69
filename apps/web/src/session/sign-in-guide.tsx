import { Logo } from '../app/logo.tsx';
import styles from './sign-in-guide.module.css';

export type SignInGuideProps = {
  /** Where the product signs people in. */
  signInUrl: string | undefined;
  /** Why the last sign-in ended. */
  refused: string | undefined;
};

/** What somebody who is not signed in sees where there is no demo. */
export function SignInGuide({ signInUrl, refused }: SignInGuideProps) {
  return (
    <main className={`parley ${styles.page}`}>
      <div className={styles.card}>
        <Logo />
        <h1 className={styles.title}>Sign in to Parley</h1>
        {refused !== undefined && (
          <p role="alert" className={styles.error}>
            {refused}
          </p>
        )}
        {signInUrl === undefined ? (
          <>
            <p className={styles.hint}>
              Sign in with the link you were sent. No link yet? Ask whoever runs this server for one.
            </p>
            <ForAdministrators />
          </>
        ) : (
          <a className={styles.enter} href={signInUrl}>
            Continue to sign in
          </a>
        )}
      </div>
    </main>
  );
}

function ForAdministrators() {
  return (
    <details className={styles.admin}>
      <summary>Do you run this server?</summary>
      <p>
        Run this command with the environment of the server. It prints a link that signs in the person it
        names:
      </p>
      <pre className={styles.command}>npm run token -- ana --name "Ana Ribeiro"</pre>
      <p>
        If your own product signs people in, set <code>PARLEY_SIGN_IN_URL</code> to its sign-in page, and let
        that page send them to this address followed by <code>#token=</code> and their token.
      </p>
    </details>
  );
}
