import { type ChannelState, hasCapability } from '@parley/client';
import {
  type ChannelMute,
  type ChannelPreferences,
  channelPreferences,
} from '@parley/client/channel-preferences';
import { useClient } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import type { TextOf } from '../../i18n/text.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import type { Confirmation } from '../../ui/confirm-dialog.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { canChangeSettings } from './channel-settings-dialog.tsx';
import { isDirect } from './channel-view.ts';
import { lateChannelTexts } from './late-texts.ts';
import { useChannelAct } from './use-channel-act.ts';

/** The user's own settings of a channel, as far as its menu needs them. */
export const ownViewOf = (state: ChannelState | undefined) =>
  state && {
    isMember: state.membership !== undefined,
    isPinned: state.membership?.pinned_at !== undefined,
    isArchived: state.membership?.archived_at !== undefined,
    isMuted: state.channel.muted ?? false,
    isHidden: state.channel.hidden ?? false,
    mayMute: hasCapability(state, 'mute-channel'),
    mayLeave: hasCapability(state, 'leave-channel') && !isDirect(state),
    maySeeMembers: hasCapability(state, 'read-channel-members'),
    mayChange: canChangeSettings(state) && !isDirect(state),
    lastId: state.messages.findLast(({ status }) => status === 'sent')?.id,
  };

type ChannelView = NonNullable<ReturnType<typeof ownViewOf>>;

type Asking = { confirm: (asked: Confirmation) => void; askMute: () => void };
type Options = Asking & { onClose: () => void };

const item = (id: string, label: string, onSelect: () => void): MenuAction => ({ id, label, onSelect });

export type OwnActions = {
  mute: (ms: number | undefined) => void;
  actionsFor: (view: ChannelView) => MenuAction[];
};

/** The actions of a member on a channel that change it only for themselves. */
export function useOwnActions(cid: string, { onClose, confirm, askMute }: Options): OwnActions {
  const text = useTexts(lateChannelTexts);
  const client = useClient();
  const preferences = client.feature(channelPreferences);
  const mute = useReadable(preferences.mutes, (all) => all.find(({ channel_cid }) => channel_cid === cid));
  const unmute = useUnmuteLabel(mute, text);
  const { act } = useChannelAct();
  const notices = useNotices();
  const offerUndo = (title: string, undo: () => Promise<unknown>) =>
    notices.show({ title, action: { label: text('undo'), onSelect: () => act(undo) } });
  const leave = (): MenuAction => ({
    ...item('leave', text('leave'), () =>
      confirm({
        title: text('leaveTitle'),
        hint: text('leaveHint'),
        label: text('leave'),
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
                : item('mute', text('mute'), askMute),
            ]
          : []),
        item('pin', isPinned ? text('unpin') : text('pin'), () =>
          act(() => preferences.setPinned(cid, !isPinned)),
        ),
        item('archive', isArchived ? text('unarchive') : text('archive'), () =>
          act(
            () => preferences.setArchived(cid, !isArchived),
            isArchived
              ? undefined
              : () => offerUndo(text('archived'), () => preferences.setArchived(cid, false)),
          ),
        ),
        ...(lastId === undefined
          ? []
          : [
              item('unread', text('markUnread'), () =>
                act(() => client.reads.markUnread(cid, lastId), onClose),
              ),
            ]),
        ...hiding(cid, view, preferences, { act, onClose, confirm, text, offerUndo }),
        ...(view.mayLeave ? [leave()] : []),
      ];
    },
  };
}

function useUnmuteLabel(mute: ChannelMute | undefined, text: TextOf<typeof lateChannelTexts>): string {
  const format = useFormat();
  return mute?.expires === undefined
    ? text('unmute')
    : text('unmuteBefore', { when: format.full(mute.expires) });
}

type Hiding = Pick<Options, 'onClose' | 'confirm'> & {
  text: TextOf<typeof lateChannelTexts>;
  act: ReturnType<typeof useChannelAct>['act'];
  offerUndo: (title: string, undo: () => Promise<unknown>) => void;
};

const hiding = (
  cid: string,
  view: ChannelView,
  preferences: ChannelPreferences,
  { act, onClose, confirm, text, offerUndo }: Hiding,
): MenuAction[] => {
  const hidden = () => {
    onClose();
    offerUndo(text('hidden'), () => preferences.show(cid));
  };
  const clear = () => act(() => preferences.hide(cid, { clearHistory: true }), onClose);
  const asked = {
    title: text('clearTitle'),
    hint: text('clearHint'),
    label: text('clear'),
    onConfirm: clear,
  };
  return [
    view.isHidden
      ? item('show', text('show'), () => act(() => preferences.show(cid)))
      : item('hide', text('hide'), () => act(() => preferences.hide(cid), hidden)),
    { ...item('clear', text('clear'), () => confirm(asked)), danger: true },
  ];
};
