import { useEffect } from 'react';
import { useChat } from './client-provider.tsx';
import { useReadable } from './use-readable.ts';

/** Marks a part of the first screen that is still loading: everything that can be loaded later waits for it. */
export function useHoldsFirstScreen(isLoading: boolean): void {
  const { firstScreen } = useChat();
  useEffect(() => (isLoading ? firstScreen.hold() : undefined), [firstScreen, isLoading]);
}

/** True once the list and the conversation that was opened first are there, or cannot be loaded. */
export function useIsFirstScreenReady(): boolean {
  return useReadable(useChat().firstScreen.isReady);
}
