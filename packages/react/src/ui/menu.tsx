import type { ReactElement } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { MenuAction, MenuPopupProps } from './menu-popup.tsx';
import { type TriggerProps, useTrigger } from './use-trigger.ts';

export type { MenuAction };

export type MenuProps = Pick<MenuPopupProps, 'actions' | 'side' | 'align'> & {
  trigger: ReactElement<TriggerProps>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

export const MenuPopup = lazyPart<MenuPopupProps>(async () => (await import('./menu-popup.tsx')).MenuPopup);

/** A button that opens a list of actions; dangerous ones come last, behind a line. */
export function Menu({ trigger, actions, side, align, open, onOpenChange }: MenuProps) {
  const { element, used, ...anchored } = useTrigger({
    trigger,
    kind: 'menu',
    open,
    onOpenChange,
    preload: MenuPopup.preload,
  });
  return (
    <>
      {element}
      {used && (
        <MenuPopup {...anchored} actions={actions} {...(side && { side })} {...(align && { align })} />
      )}
    </>
  );
}
