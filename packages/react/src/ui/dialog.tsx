import { type ReactNode, useState } from 'react';
import { lazyPart } from './lazy-part.tsx';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** `sheet` rises from the bottom edge, for touch. */
  form?: 'card' | 'sheet';
};

export const DialogPopup = lazyPart<DialogProps>(
  async () => (await import('./dialog-popup.tsx')).DialogPopup,
);

export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  return used ? <DialogPopup {...props} /> : null;
}
