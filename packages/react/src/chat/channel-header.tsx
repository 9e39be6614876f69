import type { ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { IconBack, IconClose } from '../ui/icons.tsx';
import styles from './channel-header.module.css';

export type ChannelHeaderProps = {
  name: string;
  avatar?: ReactNode;
  /** Presence, number of members, topic. */
  detail?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  /** Goes back; its button is shown only where one pane fills the screen. */
  onBack?: () => void;
  /** Closes the pane; its button is shown only where panes are side by side. */
  onClose?: () => void;
  /** Makes name and avatar a button, for instance to open the side panel. */
  onOpenDetails?: () => void;
};

/** The bar above a conversation: picture, title and actions. */
export function ChannelHeader(props: ChannelHeaderProps) {
  const { name, avatar, detail, actions, onBack, onClose, onOpenDetails } = props;
  const text = useTexts(commonTexts);
  const title = (
    <>
      {avatar}
      <span className={styles.words}>
        <span dir="auto" className={styles.name}>
          {name}
        </span>
        {detail !== undefined && (
          <span dir="auto" className={styles.detail}>
            {detail}
          </span>
        )}
      </span>
    </>
  );
  return (
    <header className={styles.header}>
      {onBack !== undefined && (
        <IconButton className={styles.back} label={text('back')} tooltip="none" onClick={onBack}>
          <IconBack size={22} />
        </IconButton>
      )}
      <h1 className={styles.heading}>
        {onOpenDetails === undefined ? (
          <span className={styles.title}>{title}</span>
        ) : (
          <button type="button" className={styles.title} onClick={onOpenDetails}>
            {title}
          </button>
        )}
      </h1>
      <div className={styles.actions}>
        {actions}
        {onClose !== undefined && (
          <IconButton className={styles.close} label={text('close')} tooltip="none" onClick={onClose}>
            <IconClose />
          </IconButton>
        )}
      </div>
    </header>
  );
}
