import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { cx, kitRoot } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { IconClose } from './icons.tsx';
import styles from './notices.module.css';

export type Notice = {
  title: string;
  detail?: string;
  tone?: 'neutral' | 'success' | 'danger';
  action?: { label: string; onSelect: () => void };
  /** Stays longer than others: somebody has to act on it. */
  isImportant?: boolean;
};

export type NoticeSink = { show: (id: string, notice: Notice) => void; dismiss: (id: string) => void };

/** Keeps notices until the host that draws them is loaded. */
export type NoticeQueue = { drain: (sink: NoticeSink) => () => void };

export type NoticeHostProps = { queue: NoticeQueue };

const importantMs = 20_000;

export function NoticeHost({ queue }: NoticeHostProps) {
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={cx(kitRoot, styles.viewport)}>
          <NoticeList />
        </Toast.Viewport>
      </Toast.Portal>
      <NoticeReceiver queue={queue} />
    </Toast.Provider>
  );
}

function NoticeReceiver({ queue }: NoticeHostProps) {
  const { add, close } = Toast.useToastManager();
  useEffect(
    () =>
      queue.drain({
        show: (id, { title, detail, tone = 'neutral', action, isImportant }) =>
          add({
            id,
            title,
            description: detail,
            type: tone,
            priority: tone === 'danger' ? 'high' : 'low',
            ...(isImportant && { timeout: importantMs }),
            ...(action && {
              actionProps: {
                children: action.label,
                onClick: () => {
                  close(id);
                  action.onSelect();
                },
              },
            }),
          }),
        dismiss: close,
      }),
    [queue, add, close],
  );
  return null;
}

function NoticeList() {
  const text = useTexts(commonTexts);
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.notice} swipeDirection={['up', 'right']}>
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
