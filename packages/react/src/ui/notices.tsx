import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text-context.tsx';
import { cx, kitRoot } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { IconClose } from './icons.tsx';
import styles from './notices.module.css';

export type Notice = {
  title: string;
  detail?: string;
  tone?: 'neutral' | 'success' | 'danger';
  action?: { label: string; onSelect: () => void };
};

export type Notices = {
  show: (notice: Notice) => string;
  dismiss: (id: string) => void;
};

/** Short messages at the edge of the screen. Use inside `NoticeProvider`. */
export function useNotices(): Notices {
  const manager = Toast.useToastManager();
  return {
    show: ({ title, detail, tone = 'neutral', action }) =>
      manager.add({
        title,
        description: detail,
        type: tone,
        priority: tone === 'danger' ? 'high' : 'low',
        ...(action && { actionProps: { children: action.label, onClick: action.onSelect } }),
      }),
    dismiss: (id) => manager.close(id),
  };
}

export type NoticeProviderProps = { children: ReactNode };

export function NoticeProvider({ children }: NoticeProviderProps) {
  return (
    <Toast.Provider limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={cx(kitRoot, styles.viewport)}>
          <NoticeList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
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
