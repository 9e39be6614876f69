import { useState } from 'react';
import { useTexts } from '../../../i18n/text-context.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconMore, IconReply, IconSmilePlus } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { ReactionPicker } from '../../reactions/reaction-picker.tsx';
import { messageTexts } from '../texts.ts';
import { drawActions, type MessageHandlers } from './message-actions.tsx';
import styles from './message-toolbar.module.css';

export type MessageToolbarProps = {
  handlers: MessageHandlers;
  picked: readonly string[];
  own: boolean;
  /** True while its menu or picker is open: the row must keep it mounted. */
  onOpenChange: (open: boolean) => void;
};

/** The actions that appear beside a message. */
export function MessageToolbar({ handlers, picked, own, onOpenChange }: MessageToolbarProps) {
  const text = useTexts(messageTexts);
  const [open, setOpen] = useState<'menu' | 'picker'>();
  const { onReact, onReply } = handlers;

  const change = (what: 'menu' | 'picker') => (next: boolean) => {
    setOpen(next ? what : undefined);
    onOpenChange(next);
  };
  const react = (emoji: string) => {
    change('picker')(false);
    onReact?.(emoji);
  };

  return (
    <div className={styles.toolbar} role="toolbar" aria-label={text('messageActions')}>
      {onReact !== undefined && (
        <Popover
          label={text('addReaction')}
          open={open === 'picker'}
          onOpenChange={change('picker')}
          align="center"
          trigger={
            <IconButton label={text('addReaction')} size="s">
              <IconSmilePlus size={18} />
            </IconButton>
          }
        >
          <ReactionPicker onPick={react} picked={picked} />
        </Popover>
      )}
      {onReply !== undefined && (
        <IconButton label={text('reply')} size="s" onClick={onReply}>
          <IconReply size={18} />
        </IconButton>
      )}
      {drawActions(
        handlers,
        text,
        (actions) =>
          actions.length > 0 && (
            <Menu
              open={open === 'menu'}
              onOpenChange={change('menu')}
              // Beside the button it has the whole height of the window, above or below only a part of it; away from the message.
              side={`inline-${own ? 'start' : 'end'}`}
              align="start"
              actions={actions}
              trigger={
                <IconButton label={text('moreActions')} size="s">
                  <IconMore size={18} />
                </IconButton>
              }
            />
          ),
      )}
    </div>
  );
}
