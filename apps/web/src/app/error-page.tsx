import { Button, EmptyState, IconWarning, useTexts } from '@parley/react';
import { Component, type ReactNode } from 'react';
import styles from './app.module.css';
import { appTexts } from './texts.ts';

export type ErrorPageProps = {
  error: Error;
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
        hint={error.message}
        action={
          <Button variant="primary" onClick={onAct}>
            {text(action)}
          </Button>
        }
      />
    </main>
  );
}

type State = { error: Error | undefined };

/** The last net: a fault in drawing shows a page with a way on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorPage error={error} action="reload" onAct={() => location.reload()} />;
  }
}
