import { ParleyError } from '@parley/client';
import { useState } from 'react';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { locationTexts } from './texts.ts';
import { useLocations } from './use-locations.ts';

/** Stops a share. Without a network this device sends nothing more, and a notice says so. */
export function useStopSharing(messageId: string) {
  const text = useTexts(locationTexts);
  const locations = useLocations();
  const showRefusal = useRefusal();
  const notices = useNotices();
  const [isBusy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    try {
      await locations.stop(messageId);
    } catch (error) {
      if (error instanceof ParleyError) showRefusal(error);
      else notices.show({ title: text('notStopped'), tone: 'danger' });
    }
    setBusy(false);
  };
  return { isBusy, stop: () => void stop() };
}
