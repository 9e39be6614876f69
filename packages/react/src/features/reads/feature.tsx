import type { VisibleMessage } from '@parley/client';
import { useMemo, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { hasAbility } from '../messages/message-abilities.ts';
import type { MessageItemProps } from '../messages/message-item-props.ts';
import type { MessagePart, Opens } from '../messages/message-parts.ts';
import { markedMessage, marksOf } from './marks-of.ts';
import { readActions } from './read-actions.tsx';
import { ReadMarks } from './read-marks.tsx';
import { readTexts } from './texts.ts';

const MessageInfoDialog = lazyPart(async () => (await import('./message-info-dialog.tsx')).MessageInfoDialog);

function useInfo(opens: Opens) {
  const [open, setOpen] = useState<VisibleMessage>();
  const acts = useMemo(() => ({ openInfo: opens(setOpen) }), [opens]);
  const carriedText = useTexts(attachmentTexts);
  const close = () => setOpen(undefined);
  const dialog = open && (
    <MessageInfoDialog message={open} words={summaryOf(open, carriedText)} onClose={close} />
  );
  return { acts, dialog };
}

const useEntry = ({ message, abilities, acts }: MessageItemProps, name: 'unread' | 'info') =>
  readActions(message, hasAbility(abilities, 'mark'), acts, useTexts(readTexts))[name] ?? [];

export const reads: MessagePart = {
  name: 'reads',
  useMenu: (props) => useEntry(props, 'unread'),
  useActs: useInfo,
};

function ReadFooter({ marks }: MessageItemProps) {
  return marks && <ReadMarks {...marks} />;
}

export const readMarks: MessagePart = {
  name: 'read-marks',
  // Behind the reminders, which stand beside the mark of the unread: all three are for coming back.
  useMenu: (props) => useEntry(props, 'info'),
  Footer: ReadFooter,
  marksIn: (state) => {
    const message = markedMessage(state);
    return message && { messageId: message.id, marks: marksOf(state, message) };
  },
};
