import { useEffect, useEffectEvent } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { useConnection } from './connected-banner.tsx';

const waitMs = 4000;
const spreadMs = 2000;

/** Shown in place of something that could not be loaded. While online it retries by itself. */
export function CouldNotLoad({ onRetry, level = 2 }: { onRetry: () => void; level?: 1 | 2 }) {
  const text = useTexts(commonTexts);
  const isOnline = useConnection().status === 'online';
  // A new function is no reason to wait again.
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isOnline) return;
    // Random, so that not all clients retry at once when a server comes back.
    const timer = setTimeout(() => retry(), waitMs + Math.random() * spreadMs);
    return () => clearTimeout(timer);
  }, [isOnline]);
  return (
    <EmptyState
      level={level}
      title={text('couldNotLoad')}
      action={<Button onClick={onRetry}>{text('retry')}</Button>}
    />
  );
}
