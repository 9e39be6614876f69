import { type ChannelState, canPin, selectUserName, type VisibleMessage } from '@parley/client';
import { useState } from 'react';
import { useClient, useMe } from '../../../chat/client-provider.tsx';
import { useChannel } from '../../../chat/use-channel.ts';
import { useRefusal } from '../../../chat/use-refusal.ts';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { previewOf } from '../../../markdown/preview.ts';
import { summaryOf } from '../../../summary/message-summary.ts';
import { attachmentTexts } from '../../../summary/texts.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconClose, IconPin } from '../../../ui/icons.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { lateMessageTexts } from '../late-texts.ts';
import { isPinned, usePinWords } from '../row/pinned-mark.tsx';
import styles from './pinned-messages.module.css';

export type PinnedMessagesProps = { cid: string; onJump: (message: VisibleMessage) => void };

const none: readonly VisibleMessage[] = [];
const pinsOf = (state: ChannelState | undefined) => state?.pinned ?? none;

/** A button for the header of a conversation, which opens the pinned messages. */
export function PinnedMessages({ cid, onJump }: PinnedMessagesProps) {
  const text = useTexts(lateMessageTexts);
  const [open, setOpen] = useState(false);
  const pins = useChannel(cid, pinsOf).filter(isPinned);
  const jump = (message: VisibleMessage) => {
    setOpen(false);
    onJump(message);
  };
  return (
    <Popover
      label={text('pinnedMessages')}
      side="bottom"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <IconButton label={text('pinnedMessages')} tooltip="bottom">
          <IconPin />
        </IconButton>
      }
    >
      <div className={styles.panel}>
        <h2 className={styles.title}>{text('pinnedMessages')}</h2>
        {pins.length === 0 ? (
          <EmptyState title={text('noPins')} hint={text('noPinsHint')} />
        ) : (
          <ul className={styles.list}>
            {pins.map((message) => (
              <PinnedItem key={message.id} message={message} onJump={jump} />
            ))}
          </ul>
        )}
      </div>
    </Popover>
  );
}

type PinnedItemProps = { message: VisibleMessage; onJump: (message: VisibleMessage) => void };

function PinnedItem({ message, onJump }: PinnedItemProps) {
  const text = useTexts(lateMessageTexts);
  const carriedText = useTexts(attachmentTexts);
  const format = useFormat();
  const { messages } = useClient();
  const me = useMe();
  const showRefusal = useRefusal();
  const mayUnpin = useChannel(message.cid, (state) => state !== undefined && canPin(state, me, message));
  const { user } = message;
  return (
    <li className={styles.item}>
      <button type="button" className={styles.jump} onClick={() => onJump(message)}>
        <span className={styles.author}>
          <span dir="auto">{user ? selectUserName(user) : ''}</span>
          <time dateTime={message.created_at}>{format.short(message.created_at)}</time>
        </span>
        <span dir="auto" className={styles.words}>
          {previewOf(summaryOf(message, carriedText))}
        </span>
        <span className={styles.by}>{usePinWords(message)}</span>
      </button>
      {mayUnpin && (
        <IconButton
          label={text('unpin')}
          size="s"
          onClick={() => void messages.unpin(message).catch(showRefusal)}
        >
          <IconClose size={16} />
        </IconButton>
      )}
    </li>
  );
}
