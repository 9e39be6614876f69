import type { ReactElement, ReactNode } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { MenuPopupProps } from './menu-popup.tsx';
import { useTrigger } from './use-trigger.ts';

export type MenuAction = {
  id: string;
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

export type MenuProps = {
  trigger: ReactElement;
  actions: readonly MenuAction[];
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end';
  align?: 'start' | 'center' | 'end';
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
