import { type ChannelState, hasCapability } from '@parley/client';
import type { ChannelMute, ChannelPreferences } from '@parley/client/channel-preferences';
import { createChannelPreferences } from '@parley/client/channel-preferences';
import { useMemo } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useFormat } from '../../i18n/text-context.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import type { ChannelLifeTexts } from './channel-life-english.ts';
import { canChangeSettings } from './channel-settings-dialog.tsx';
import type { Confirmation } from './confirm-dialog.tsx';
import { useChannelAct } from './use-channel-act.ts';

/** What a channel is to its reader, as far as its menu asks. */
export const ownViewOf = (state: ChannelState | undefined) =>
  state && {
    isMember: state.membership !== undefined,
    isPinned: state.membership?.pinned_at !== undefined,
    isArchived: state.membership?.archived_at !== undefined,
    isMuted: state.channel.muted ?? false,
    isHidden: state.channel.hidden ?? false,
    mayMute: hasCapability(state, 'mute-channel'),
    mayLeave: hasCapability(state, 'leave-channel'),
    maySeeMembers: hasCapability(state, 'read-channel-members'),
    mayChange: canChangeSettings(state),
    lastId: state.messages.findLast(({ status }) => status === 'sent')?.id,
  };

type ChannelView = NonNullable<ReturnType<typeof ownViewOf>>;

type Asking = { confirm: (asked: Confirmation) => void; askMute: () => void };
type Options = Asking & { onClose: () => void; words: ChannelLifeTexts };

const item = (id: string, label: string, onSelect: () => void): MenuAction => ({ id, label, onSelect });

export type OwnActions = {
  mute: (ms: number | undefined) => void;
  actionsFor: (view: ChannelView) => MenuAction[];
};

/** What a member can do with a channel for themselves. */
export function useOwnActions(cid: string, { onClose, words, confirm, askMute }: Options): OwnActions {
  const client = useClient();
  const preferences = useMemo(() => createChannelPreferences(client), [client]);
  const mute = useReadable(preferences.mutes, (all) => all.find(({ channel_cid }) => channel_cid === cid));
  const unmute = useUnmuteLabel(mute, words);
  const { act } = useChannelAct();
  const leave = (): MenuAction => ({
    ...item('leave', words.leave, () =>
      confirm({
        title: words.leaveTitle,
        hint: words.leaveHint,
        label: words.leave,
        onConfirm: () => act(() => client.members.leave(cid), onClose),
      }),
    ),
    danger: true,
  });
  return {
    mute: (ms) => act(() => preferences.mute(cid, ms === undefined ? {} : { ms })),
    actionsFor: (view) => {
      if (!view.isMember) return [];
      const { isMuted, isPinned, isArchived, lastId } = view;
      return [
        ...(view.mayMute
          ? [
              isMuted
                ? item('mute', unmute, () => act(() => preferences.unmute(cid)))
                : item('mute', words.mute, askMute),
            ]
          : []),
        item('pin', isPinned ? words.unpin : words.pin, () =>
          act(() => preferences.setPinned(cid, !isPinned)),
        ),
        item('archive', isArchived ? words.unarchive : words.archive, () =>
          act(() => preferences.setArchived(cid, !isArchived)),
        ),
        ...(lastId === undefined
          ? []
          : [
              item('unread', words.markUnread, () =>
                act(() => client.reads.markUnread(cid, lastId), onClose),
              ),
            ]),
        ...hiding(cid, view, preferences, { act, onClose, confirm, words }),
        ...(view.mayLeave ? [leave()] : []),
      ];
    },
  };
}

function useUnmuteLabel(mute: ChannelMute | undefined, words: ChannelLifeTexts): string {
  const format = useFormat();
  return mute?.expires === undefined
    ? words.unmute
    : words.unmuteBefore.replace('{when}', format.full(mute.expires));
}

type Hiding = Pick<Options, 'onClose' | 'confirm' | 'words'> & {
  act: ReturnType<typeof useChannelAct>['act'];
};

const hiding = (
  cid: string,
  view: ChannelView,
  preferences: ChannelPreferences,
  { act, onClose, confirm, words }: Hiding,
): MenuAction[] => {
  const clear = () => act(() => preferences.hide(cid, { clearHistory: true }), onClose);
  const asked = { title: words.clearTitle, hint: words.clearHint, label: words.clear, onConfirm: clear };
  return [
    view.isHidden
      ? item('show', words.show, () => act(() => preferences.show(cid)))
      : item('hide', words.hide, () => act(() => preferences.hide(cid), onClose)),
    { ...item('clear', words.clear, () => confirm(asked)), danger: true },
  ];
};
