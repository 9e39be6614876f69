import type { ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import styles from './app-shell.module.css';
import { cx, kitRoot } from './cx.ts';
import { InKitRoot } from './kit-root.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

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

/** The frame of a chat: sidebar, conversation and panel, one at a time on a phone. */
export function AppShell({ sidebar, children, panel, banner, pane, panelLabel }: AppShellProps) {
  const text = useTexts(commonTexts);
  // Where one pane fills the screen, it is the main landmark, to which screen readers jump.
  const isNarrow = useIsNarrow();
  const panelIs = { role: isNarrow ? 'main' : 'complementary', 'aria-label': panelLabel };
  return (
    <InKitRoot value={true}>
      <div className={cx(kitRoot, styles.shell)} data-pane={pane}>
        {banner}
        <div className={styles.panes} data-panel={panel !== undefined || undefined}>
          <div className={styles.around} role={isNarrow && pane === 'sidebar' ? 'main' : undefined}>
            <nav className={styles.sidebar} aria-label={text('conversations')}>
              {sidebar}
            </nav>
          </div>
          <main className={styles.conversation} aria-label={text('conversation')}>
            {children}
          </main>
          {panel !== undefined && (
            <section className={styles.panel} {...panelIs}>
              {panel}
            </section>
          )}
        </div>
      </div>
    </InKitRoot>
  );
}
