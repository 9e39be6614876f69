import type { ReactNode } from 'react';
import { useText } from '../i18n/text-context.tsx';
import styles from './app-shell.module.css';
import { cx, kitRoot } from './cx.ts';

export type AppPane = 'sidebar' | 'conversation' | 'panel';

export type AppShellProps = {
  sidebar: ReactNode;
  /** The conversation: header, list, composer. */
  children: ReactNode;
  panel?: ReactNode;
  banner?: ReactNode;
  /** The one pane to show where there is room for only one. */
  pane: AppPane;
  panelLabel?: string;
};

export function AppShell({ sidebar, children, panel, banner, pane, panelLabel }: AppShellProps) {
  const text = useText();
  return (
    <div className={cx(kitRoot, styles.shell)} data-pane={pane}>
      {banner}
      <div className={styles.panes} data-panel={panel !== undefined || undefined}>
        <nav className={styles.sidebar} aria-label={text('conversations')}>
          {sidebar}
        </nav>
        <main className={styles.conversation} aria-label={text('conversation')}>
          {children}
        </main>
        {panel !== undefined && (
          <aside className={styles.panel} aria-label={panelLabel}>
            {panel}
          </aside>
        )}
      </div>
    </div>
  );
}
