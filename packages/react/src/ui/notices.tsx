import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { Notice, NoticeHostProps, NoticeQueue, NoticeSink } from './notice-host.tsx';

export type { Notice };

export type Notices = {
  /** Shows a notice and returns its id. */
  show: (notice: Notice) => string;
  /** Removes a notice before its time. */
  dismiss: (id: string) => void;
};

export const NoticeContext = createContext<Notices | undefined>(undefined);

/** Short messages at the edge of the screen. Use inside `NoticeProvider`. */
export function useNotices(): Notices {
  const notices = useContext(NoticeContext);
  if (notices === undefined) throw new Error('useNotices belongs inside a NoticeProvider');
  return notices;
}

export const NoticeHost = lazyPart<NoticeHostProps>(
  async () => (await import('./notice-host.tsx')).NoticeHost,
);

function createQueue(onFirst: () => void): Notices & NoticeQueue {
  const waiting = new Map<string, Notice>();
  let sink: NoticeSink | undefined;
  let count = 0;
  return {
    show: (notice) => {
      const id = `notice-${++count}`;
      if (sink) sink.show(id, notice);
      else waiting.set(id, notice);
      if (count === 1) onFirst();
      return id;
    },
    dismiss: (id) => {
      waiting.delete(id);
      sink?.dismiss(id);
    },
    drain: (next) => {
      sink = next;
      for (const [id, notice] of waiting) next.show(id, notice);
      waiting.clear();
      return () => {
        sink = undefined;
      };
    },
  };
}

export type NoticeProviderProps = { children: ReactNode };

/** Shows short notices at the edge of the screen. */
export function NoticeProvider({ children }: NoticeProviderProps) {
  const [used, setUsed] = useState(false);
  const queue = useMemo(() => createQueue(() => setUsed(true)), []);
  return (
    <NoticeContext value={queue}>
      {children}
      {used && <NoticeHost queue={queue} />}
    </NoticeContext>
  );
}
