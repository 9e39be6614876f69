import { useChat } from '../../chat/chat-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';

/** In how many channels and threads something is written and not sent. */
export function useDraftCount(): number {
  return useReadable(useChat().drafts.all, (all) => all.length);
}
