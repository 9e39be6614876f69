import type { ConnectionState } from '@parley/client';
import { useMemo } from 'react';
import { useClient } from '../chat/client-provider.tsx';
import { useReadable } from '../chat/use-readable.ts';
import { ConnectionBanner } from '../ui/connection-banner.tsx';
import { bannerView } from './banner-view.ts';

/** The state of the connection. */
export function useConnection(): ConnectionState {
  return useReadable(useClient().connection);
}

export type ConnectedBannerProps = { onRetry?: () => void };

/** Shows when the connection is lost, when it is tried again, and when it is back. */
export function ConnectedBanner({ onRetry }: ConnectedBannerProps) {
  const { connection } = useClient();
  const view = useReadable(useMemo(() => bannerView(connection), [connection]));
  return <ConnectionBanner connection={view} {...(onRetry && { onRetry })} />;
}
