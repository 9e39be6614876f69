import { Button, EmptyState, IconWarning, useTexts } from '@parley/react';
import { Component, type ReactNode } from 'react';
import styles from './app.module.css';
import { appTexts } from './texts.ts';

export type ErrorPageProps = {
  /** An error whose words are for people; left out for a fault of the app. */
  error?: Error | undefined;
  action: 'tryAgain' | 'reload' | 'backToSignIn';
  onAct: () => void;
};

export function ErrorPage({ error, action, onAct }: ErrorPageProps) {
  const text = useTexts(appTexts);
  return (
    <main className={`parley ${styles.page}`}>
      <EmptyState
        level={1}
        icon={<IconWarning size={32} />}
        title={text('failed')}
        hint={error?.message ?? text('failedHint')}
        action={
          <Button variant="primary" onClick={onAct}>
            {text(action)}
          </Button>
        }
      />
    </main>
  );
}

/** Reloads the page after a fault, without what this device has kept of the last visit: the fault may come from there. */
export const reloadAnew = (): void => {
  for (const key of Object.keys(localStorage))
    if (/^parley (screen|page) /.test(key)) localStorage.removeItem(key);
  location.reload();
};

/** For a fault in drawing the whole screen. */
export const FaultPage = () => <ErrorPage action="reload" onAct={reloadAnew} />;

type State = { hasFailed: boolean };

/** The last net: a fault around the router, which has one of its own, shows a page with a way on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <FaultPage /> : this.props.children;
  }
}
