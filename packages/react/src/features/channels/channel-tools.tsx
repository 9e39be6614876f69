import { useState } from 'react';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { type Confirmation, ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconMedia } from '../../ui/icon-media.tsx';
import { IconMore, IconUser } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import styles from './channel-life.module.css';
import { ChannelSettingsDialog } from './channel-settings-dialog.tsx';
import { lateChannelTexts } from './late-texts.ts';
import { MuteDialog } from './mute-dialog.tsx';
import { ownViewOf, useOwnActions } from './use-own-actions.ts';

export type ChannelToolsProps = {
  cid: string;
  /** Called when the channel is no longer to be shown: it was left, hidden, deleted or marked unread. */
  onClose: () => void;
  /** Opens and closes the list of members; without it there is no button for it. */
  onMembers?: (() => void) | undefined;
  /** The same for the panel of shared media. */
  onMedia?: (() => void) | undefined;
};

/** The buttons of a conversation's header: its members, and the menu of its actions. */
export function ChannelTools({ cid, onClose, onMembers, onMedia }: ChannelToolsProps) {
  const text = useTexts(lateChannelTexts);

  const view = useChannel(cid, ownViewOf);
  const [open, setOpen] = useState<'mute' | 'settings'>();
  const [asked, setAsked] = useState<Confirmation>();
  const own = useOwnActions(cid, { onClose, confirm: setAsked, askMute: () => setOpen('mute') });
  if (view === undefined) return null;
  const close = () => setOpen(undefined);
  const settings: MenuAction = {
    id: 'settings',
    label: text('settings'),
    onSelect: () => setOpen('settings'),
  };
  const media = onMedia && { id: 'media', label: text('media'), onSelect: onMedia };
  const actions = [...(media ? [media] : []), ...own.actionsFor(view), ...(view.mayChange ? [settings] : [])];
  return (
    <>
      {onMembers && view.maySeeMembers && (
        <IconButton label={text('members')} tooltip="bottom" onClick={onMembers}>
          <IconUser />
        </IconButton>
      )}
      {onMedia && (
        <IconButton className={styles.wide} label={text('media')} tooltip="bottom" onClick={onMedia}>
          <IconMedia />
        </IconButton>
      )}
      {actions.length > 0 && (
        <Menu
          trigger={
            <IconButton label={text('actions')} tooltip="none">
              <IconMore />
            </IconButton>
          }
          actions={actions}
        />
      )}
      {open === 'mute' && <MuteDialog onClose={close} onMute={own.mute} />}
      {open === 'settings' && (
        <ChannelSettingsDialog cid={cid} onClose={close} onGone={onClose} ask={setAsked} />
      )}
      <ConfirmDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}
