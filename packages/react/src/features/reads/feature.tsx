import { useTexts } from '../../i18n/text-context.tsx';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { supplier } from '../../ui/collect.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { hasAbility } from '../messages/menu/message-abilities.ts';
import type { MessageDialogProps, MessageItemProps } from '../messages/message-item-props.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { markedMessage, marksOf } from './marks-of.ts';
import { readActions } from './read-actions.tsx';
import { ReadMarks } from './read-marks.tsx';
import { readTexts } from './texts.ts';

const MessageInfoDialog = lazyPart(async () => (await import('./message-info-dialog.tsx')).MessageInfoDialog);

/** The dialog as rows of messages open it. */
function Info({ message, onClose }: MessageDialogProps) {
  const words = summaryOf(message, useTexts(attachmentTexts));
  return <MessageInfoDialog message={message} words={words} onClose={onClose} />;
}

const useEntries = ({ message, abilities, acts }: MessageItemProps, name: 'unread' | 'info') => {
  const { markUnread, openDialog } = acts;
  const openInfo = () => openDialog(Info, message);
  return (
    readActions(message, hasAbility(abilities, 'mark'), { markUnread, openInfo }, useTexts(readTexts))[
      name
    ] ?? []
  );
};

export const reads: MessagePart = { name: 'reads', Menu: supplier((item) => useEntries(item, 'unread')) };

function ReadFooter({ marks }: MessageItemProps) {
  return marks && <ReadMarks {...marks} />;
}

export const readMarks: MessagePart = {
  name: 'read-marks',
  // This part is behind the reminders, which stand beside the mark of the unread: all three are for coming back.
  Menu: supplier((item) => useEntries(item, 'info')),
  Footer: ReadFooter,
  marksIn: (state) => {
    const message = markedMessage(state);
    return message && { messageId: message.id, marks: marksOf(state, message) };
  },
};
