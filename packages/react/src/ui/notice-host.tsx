import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { useText } from '../i18n/text-context.tsx';
import { cx, kitRoot } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { IconClose } from './icons.tsx';
import styles from './notices.module.css';
import type { NoticeQueue } from './notices.tsx';

export type NoticeHostProps = { queue: NoticeQueue };

export function NoticeHost({ queue }: NoticeHostProps) {
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={cx(kitRoot, styles.viewport)}>
          <NoticeList />
        </Toast.Viewport>
      </Toast.Portal>
      <Intake queue={queue} />
    </Toast.Provider>
  );
}

function Intake({ queue }: NoticeHostProps) {
  const { add, close } = Toast.useToastManager();
  useEffect(
    () =>
      queue.drain({
        show: (id, { title, detail, tone = 'neutral', action }) =>
          add({
            id,
            title,
            description: detail,
            type: tone,
            priority: tone === 'danger' ? 'high' : 'low',
            ...(action && { actionProps: { children: action.label, onClick: action.onSelect } }),
          }),
        dismiss: close,
      }),
    [queue, add, close],
  );
  return null;
}

function NoticeList() {
  const text = useText();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.notice} swipeDirection={['down', 'right']}>
      <Toast.Content className={styles.content}>
        <div className={styles.words}>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.detail} />
        </div>
        <Toast.Action className={styles.action} />
        <Toast.Close render={<IconButton label={text('dismiss')} size="s" tooltip="none" />}>
          <IconClose size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
