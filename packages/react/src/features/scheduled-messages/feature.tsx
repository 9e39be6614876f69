import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { supplier } from '../../ui/collect.tsx';
import { IconClock } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerAddition, ComposerPart, ComposerState } from '../composer/composer-parts.ts';
import { isBlank } from '../composer/is-blank.ts';
import type { SendLaterDialogProps, SendLaterProps } from './send-later.tsx';
import { scheduledTexts } from './texts.ts';

const SendLater = lazyPart<SendLaterProps>(async () => (await import('./send-later.tsx')).SendLater, {
  Missing: () => null,
});
const SendLaterDialog = lazyPart<SendLaterDialogProps>(
  async () => (await import('./send-later.tsx')).SendLaterDialog,
);

/** A button beside the field, or an entry of the menu where the screen is narrow. */
const useSendLater = ({ cid, parentId, composer, isNarrow }: ComposerState): ComposerAddition => {
  const text = useTexts(scheduledTexts);
  const [isOpen, setOpen] = useState(false);
  const { draft, carried } = composer;
  const place = { cid, parentId, composer };
  if (draft.editing || (!carried.isEnough && isBlank(draft.text))) return {};
  if (!isNarrow) return { trailing: <SendLater {...place} /> };
  const open = () => setOpen(true);
  return {
    entry: { id: 'later', label: text('sendLater'), icon: <IconClock />, onSelect: open },
    leading: isOpen && <SendLaterDialog {...place} onClose={() => setOpen(false)} />,
  };
};

export const scheduledMessages: ComposerPart = {
  name: 'scheduled-messages',
  Addition: supplier(useSendLater),
};
