import type { Translate } from '../../i18n/text.ts';
import { IconCopy, IconEdit, IconLink, IconPin, IconReply, IconTrash } from '../../ui/icons.tsx';
import type { MenuAction } from '../../ui/menu.tsx';

/** What the reader may do with a message; what is left out is not offered. */
export type MessageHandlers = {
  onReact?: ((emoji: string) => void) | undefined;
  onReply?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  onCopy?: (() => void) | undefined;
  onPin?: (() => void) | undefined;
  isPinned?: boolean | undefined;
  onCopyLink?: (() => void) | undefined;
  onDelete?: (() => void) | undefined;
  /** Further entries of the menu. */
  extraActions?: readonly MenuAction[] | undefined;
};

export function messageActions(handlers: MessageHandlers, text: Translate): readonly MenuAction[] {
  const { onReply, onEdit, onCopy, onPin, onCopyLink, onDelete, extraActions = [] } = handlers;
  const actions: MenuAction[] = [];
  if (onReply)
    actions.push({ id: 'reply', label: text('reply'), icon: <IconReply size={18} />, onSelect: onReply });
  if (onEdit)
    actions.push({ id: 'edit', label: text('edit'), icon: <IconEdit size={18} />, onSelect: onEdit });
  if (onCopy)
    actions.push({ id: 'copy', label: text('copyText'), icon: <IconCopy size={18} />, onSelect: onCopy });
  if (onCopyLink)
    actions.push({
      id: 'link',
      label: text('copyLink'),
      icon: <IconLink size={18} />,
      onSelect: onCopyLink,
    });
  if (onPin) {
    const label = text(handlers.isPinned ? 'unpin' : 'pin');
    actions.push({ id: 'pin', label, icon: <IconPin size={18} />, onSelect: onPin });
  }
  actions.push(...extraActions);
  if (onDelete) {
    const icon = <IconTrash size={18} />;
    actions.push({ id: 'delete', label: text('delete'), icon, danger: true, onSelect: onDelete });
  }
  return actions;
}

export function hasActions(handlers: MessageHandlers, text: Translate): boolean {
  return handlers.onReact !== undefined || messageActions(handlers, text).length > 0;
}
