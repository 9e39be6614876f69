import { AppShell, ChannelListSkeleton, MessageListSkeleton, SidebarHeader, useTexts } from '@parley/react';
import { appTexts } from './texts.ts';

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
              <SidebarHeader title={text('chats')} />
              <ChannelListSkeleton label="" />
            </>
          }
        >
          {isOpen && <MessageListSkeleton label="" />}
        </AppShell>
      </div>
    </>
  );
}
