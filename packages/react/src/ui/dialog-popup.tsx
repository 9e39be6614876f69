import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useContext, useRef } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { backTo } from './back-to.ts';
import { cx, kitRoot } from './cx.ts';
import styles from './dialog.module.css';
import { DialogReturn } from './dialog-return.ts';
import { IconButton } from './icon-button.tsx';
import { IconClose } from './icons.tsx';
import { useLayer } from './layers.ts';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** `sheet` rises from the bottom edge, for touch. */
  form?: 'card' | 'sheet';
  /** True where there is only text inside: it takes the focus, so that keys scroll it. */
  isText?: boolean;
};

export function DialogPopup({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  form = 'card',
  isText = false,
}: DialogProps) {
  const text = useTexts(commonTexts);
  const popup = useRef<HTMLDivElement>(null);
  const back = useContext(DialogReturn);
  useLayer(open, () => onOpenChange(false));
  const focusable = { tabIndex: 0, role: 'group', 'aria-label': title, 'data-first-focus': '' };
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport} data-form={form}>
          <Base.Popup
            ref={popup}
            className={cx(kitRoot, styles.popup)}
            data-form={form}
            initialFocus={() => beginIn(popup.current)}
            {...(back && { finalFocus: backTo(back) })}
          >
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
            <div className={styles.body} {...(isText && focusable)}>
              {children}
            </div>
            {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

const fields = 'input:checked, input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select';
const buttons = 'button:not([aria-pressed], [role="tab"]), a[href], input';

/** The first focus of a dialog: its first field or choice, not the close button before them. By touch only a field that asks for it. */
function beginIn(popup: HTMLElement | null): HTMLElement | null {
  const wanted = popup?.querySelector<HTMLElement>('[data-first-focus]');
  if (wanted) return wanted;
  if (popup === null || matchMedia('(pointer: coarse)').matches) return popup;
  const inside = (what: string) =>
    [...popup.querySelectorAll<HTMLElement>(`:scope > :not(header) :is(${what})`)].find(
      (element) => !element.matches(':disabled') && element.offsetParent !== null,
    );
  return inside(fields) ?? inside(buttons) ?? popup;
}
