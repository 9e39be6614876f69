import { useState } from 'react';
import { useRefusal } from '../../chat/use-refusal.ts';

/** Runs a call that may be refused, and shows a refusal; `then` is called only after success. */
export function useChannelAct() {
  const showRefusal = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const act = async (run: () => Promise<unknown>, then?: () => void): Promise<void> => {
    setBusy(true);
    try {
      await run();
      then?.();
    } catch (error) {
      showRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act: (run: () => Promise<unknown>, then?: () => void) => void act(run, then) };
}
