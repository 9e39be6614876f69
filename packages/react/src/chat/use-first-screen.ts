import { useEffect } from 'react';
import { useChat } from './client-provider.tsx';
import { useReadable } from './use-readable.ts';

/** A part of the first screen that is still loading: what can come later waits for it. */
export function useHoldsFirstScreen(isLoading: boolean): void {
  const { firstScreen } = useChat();
  useEffect(() => (isLoading ? firstScreen.hold() : undefined), [firstScreen, isLoading]);
}

/** Whether the list and the conversation that was opened first are there, or cannot come. */
export function useFirstScreenStands(): boolean {
  return useReadable(useChat().firstScreen.stands);
}
