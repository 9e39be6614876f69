import { type ChannelState, hasCapability } from '@parley/client';
import { createChannelPreferences } from '@parley/client/channel-preferences';
import { useMemo, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconMore, IconUser } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { type ChannelLifeTexts, channelLifeEnglish } from './channel-life-english.ts';
import { ChannelSettingsDialog, canChangeSettings } from './channel-settings-dialog.tsx';
import { type Confirmation, ConfirmDialog } from './confirm-dialog.tsx';
import { MembersDialog } from './members-dialog.tsx';
import { useChannel } from './use-channel.ts';
import { useChannelAct } from './use-channel-act.ts';

export type ChannelToolsProps = {
  cid: string;
  /** The channel is no longer to be shown: it was left, hidden, deleted or marked unread. */
  onClose: () => void;
  texts?: Partial<ChannelLifeTexts>;
};

const viewOf = (state: ChannelState | undefined) =>
  state && {
    isMember: state.membership !== undefined,
    isPinned: state.membership?.pinned_at !== undefined,
    isArchived: state.membership?.archived_at !== undefined,
    isMuted: state.channel.muted ?? false,
    mayMute: hasCapability(state, 'mute-channel'),
    mayLeave: hasCapability(state, 'leave-channel'),
    maySeeMembers: hasCapability(state, 'read-channel-members'),
    mayChange: canChangeSettings(state),
    lastId: state.messages.findLast(({ status }) => status === 'sent')?.id,
  };

type View = NonNullable<ReturnType<typeof viewOf>>;

/** The buttons of a conversation's header: who is in it, and what one can do with it. */
export function ChannelTools({ cid, onClose, texts }: ChannelToolsProps) {
  const words = { ...channelLifeEnglish, ...texts };
  const view = useChannel(cid, viewOf);
  const [open, setOpen] = useState<'members' | 'settings'>();
  const [asked, setAsked] = useState<Confirmation>();
  const own = useOwnActions(cid, onClose, words);
  if (view === undefined) return null;
  const close = () => setOpen(undefined);
  const settings: MenuAction = {
    id: 'settings',
    label: words.settings,
    onSelect: () => setOpen('settings'),
  };
  const actions = [...own(view, setAsked), ...(view.mayChange ? [settings] : [])];
  return (
    <>
      {view.maySeeMembers && (
        <IconButton label={words.members} tooltip="bottom" onClick={() => setOpen('members')}>
          <IconUser />
        </IconButton>
      )}
      {actions.length > 0 && (
        <Menu
          trigger={
            <IconButton label={words.actions} tooltip="none">
              <IconMore />
            </IconButton>
          }
          actions={actions}
        />
      )}
      {open === 'members' && <MembersDialog cid={cid} onClose={close} words={words} />}
      {open === 'settings' && (
        <ChannelSettingsDialog cid={cid} onClose={close} onGone={onClose} ask={setAsked} words={words} />
      )}
      <ConfirmDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

type Words = ChannelLifeTexts;
type Ask = (asked: Confirmation) => void;

/** What a member can do with a channel for themselves. */
function useOwnActions(cid: string, onClose: () => void, words: Words) {
  const client = useClient();
  const preferences = useMemo(() => createChannelPreferences(client), [client]);
  const { act } = useChannelAct();
  const item = (id: string, label: string, onSelect: () => void): MenuAction => ({ id, label, onSelect });
  const leave = (ask: Ask): MenuAction => ({
    ...item('leave', words.leave, () =>
      ask({
        title: words.leaveTitle,
        hint: words.leaveHint,
        label: words.leave,
        onConfirm: () => act(() => client.members.leave(cid), onClose),
      }),
    ),
    danger: true,
  });
  return (view: View, ask: Ask): MenuAction[] => {
    if (!view.isMember) return [];
    const { isMuted, isPinned, isArchived, lastId } = view;
    const setMuted = () => (isMuted ? preferences.unmute(cid) : preferences.mute(cid));
    return [
      ...(view.mayMute ? [item('mute', isMuted ? words.unmute : words.mute, () => act(setMuted))] : []),
      item('pin', isPinned ? words.unpin : words.pin, () => act(() => preferences.setPinned(cid, !isPinned))),
      item('archive', isArchived ? words.unarchive : words.archive, () =>
        act(() => preferences.setArchived(cid, !isArchived)),
      ),
      ...(lastId === undefined
        ? []
        : [item('unread', words.markUnread, () => act(() => client.reads.markUnread(cid, lastId), onClose))]),
      item('hide', words.hide, () => act(() => preferences.hide(cid), onClose)),
      ...(view.mayLeave ? [leave(ask)] : []),
    ];
  };
}
