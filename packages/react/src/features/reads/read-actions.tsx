import { isInChannel, type VisibleMessage } from '@parley/client';
import type { TextOf } from '../../i18n/text.ts';
import { IconEye, IconInfo } from '../../ui/icons.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import type { readTexts } from './texts.ts';

/** The entries about reads in the menu of a message. Thread replies have marks of their own. */
export const readActions = (
  message: VisibleMessage,
  canMark: boolean,
  acts: Record<'markUnread' | 'openInfo', (message: VisibleMessage) => void>,
  text: TextOf<typeof readTexts>,
): Partial<Record<'unread' | 'info', readonly MenuAction[]>> => {
  if (!canMark || message.status !== 'sent' || !isInChannel(message)) return {};
  return {
    unread: [
      {
        group: 'later',
        id: 'unread',
        label: text('markUnread'),
        icon: <IconEye size={18} />,
        onSelect: () => acts.markUnread(message),
      },
    ],
    info: [
      {
        group: 'info',
        id: 'info',
        label: text('messageInfo'),
        icon: <IconInfo size={18} />,
        onSelect: () => acts.openInfo(message),
      },
    ],
  };
};
