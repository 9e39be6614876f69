import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { NoticeHostProps } from './notice-host.tsx';

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

type Sink = { show: (id: string, notice: Notice) => void; dismiss: (id: string) => void };

/** Keeps what was said until there is something to draw it. */
export type NoticeQueue = { drain: (sink: Sink) => () => void };

const NoticeContext = createContext<Notices | undefined>(undefined);

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
  let sink: Sink | undefined;
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
