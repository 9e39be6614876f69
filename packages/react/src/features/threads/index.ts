/** The entry `@parley/react/threads`: a thread beside its conversation, and the inbox of all threads. */
import { latePanel } from '../../chat/late-panel.tsx';
import { useTexts } from '../../i18n/text-context.tsx';
import { inboxTexts } from './inbox-texts.ts';
import type { ThreadInboxProps } from './thread-inbox.tsx';

export type { ThreadInboxProps } from './thread-inbox.tsx';
export { ThreadPanel, type ThreadPanelProps } from './thread-panel.tsx';

/** The threads that the reader follows, the one with the latest reply first. Loaded when it is first shown: most visits are to conversations. */
export const ThreadInbox = latePanel<ThreadInboxProps>(
  async () => (await import('./thread-inbox.tsx')).ThreadInbox,
  () => useTexts(inboxTexts)('threads'),
);
