import { AppShell, ChannelListSkeleton, MessageListSkeleton, SidebarHeader, useTexts } from '@parley/react';
import { appTexts } from './texts.ts';
import styles from './waiting.module.css';

/** Stands in the place of the app until its first screen is there: the same frame, with placeholders. */
export function Waiting() {
  const text = useTexts(appTexts);
  const isOpen = location.pathname.startsWith('/c/');
  return (
    <>
      <span role="status" aria-label={text('loading')} />
      {/* Nothing in it works yet. */}
      <div inert aria-hidden="true">
        <AppShell
          pane={isOpen ? 'conversation' : 'sidebar'}
          sidebar={
            <>
              <SidebarHeader title={text('chats')} leading={<span className={styles.face} />}>
                <div className={styles.field} />
              </SidebarHeader>
              <div className={styles.places} />
              <ChannelListSkeleton label="" />
            </>
          }
        >
          {isOpen && (
            <>
              <div className={styles.header}>
                <span className={styles.face} />
              </div>
              <MessageListSkeleton label="" />
              <div className={styles.writing} />
            </>
          )}
        </AppShell>
      </div>
    </>
  );
}
