import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text-context.tsx';
import { cx, kitRoot } from './cx.ts';
import styles from './dialog.module.css';
import { IconButton } from './icon-button.tsx';
import { IconClose } from './icons.tsx';

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

export function DialogPopup({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  form = 'card',
}: DialogProps) {
  const text = useText();
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport} data-form={form}>
          <Base.Popup className={cx(kitRoot, styles.popup)} data-form={form}>
            <header className={form === 'sheet' ? styles.handle : styles.header}>
              <Base.Title className={form === 'sheet' ? styles.hidden : styles.title}>{title}</Base.Title>
              {form === 'card' && (
                <Base.Close render={<IconButton label={text('close')} tooltip="none" />}>
                  <IconClose />
                </Base.Close>
              )}
            </header>
            {description !== undefined && (
              <Base.Description className={styles.description}>{description}</Base.Description>
            )}
            <div className={styles.body}>{children}</div>
            {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
