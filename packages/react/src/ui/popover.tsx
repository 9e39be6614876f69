import type { ReactElement } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { PopoverPopupProps } from './popover-popup.tsx';
import { type TriggerProps, useTrigger } from './use-trigger.ts';

export type PopoverProps = Pick<PopoverPopupProps, 'label' | 'children' | 'side' | 'align'> & {
  trigger: ReactElement<TriggerProps>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

export const PopoverPopup = lazyPart<PopoverPopupProps>(
  async () => (await import('./popover-popup.tsx')).PopoverPopup,
);

/** A popup that opens beside its trigger. */
export function Popover({ trigger, open, onOpenChange, ...popup }: PopoverProps) {
  const { element, used, ...anchored } = useTrigger({
    trigger,
    kind: 'dialog',
    open,
    onOpenChange,
    preload: PopoverPopup.preload,
  });
  return (
    <>
      {element}
      {used && <PopoverPopup {...anchored} {...popup} />}
    </>
  );
}
