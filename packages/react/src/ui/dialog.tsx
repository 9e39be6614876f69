import { useState } from 'react';
import type { DialogProps } from './dialog-popup.tsx';
import { lazyPart } from './lazy-part.tsx';

export type { DialogProps };

export const DialogPopup = lazyPart<DialogProps>(
  async () => (await import('./dialog-popup.tsx')).DialogPopup,
);

/** A dialog over the page that keeps the focus inside. */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  return used ? <DialogPopup {...props} /> : null;
}
