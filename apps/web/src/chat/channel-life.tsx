import { lazy, Suspense } from 'react';

// Loaded apart: it is not needed to read the first message.
const Tools = lazy(async () => ({ default: (await import('@parley/react/channels')).ChannelTools }));
const Pending = lazy(async () => ({ default: (await import('@parley/react/channels')).ChannelInvites }));

export function ChannelTools({ cid, onClose }: { cid: string; onClose: () => void }) {
  return (
    <Suspense>
      <Tools key={cid} cid={cid} onClose={onClose} />
    </Suspense>
  );
}

export function Invites({ onAccepted }: { onAccepted: (cid: string) => void }) {
  return (
    <Suspense>
      <Pending onAccepted={onAccepted} />
    </Suspense>
  );
}
