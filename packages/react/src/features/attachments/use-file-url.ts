import { type FileUrls, fileUrls } from '@parley/client/attachments';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useFeature, useMe } from '../../chat/client-provider.tsx';
import { useConnection } from '../../connection/connected-banner.tsx';

/** `gone`: the server gives it to nobody here. `failed`: it could not be loaded now. */
export type FileUrlStatus = 'loading' | 'ready' | 'failed' | 'gone';
export type FileUrl = {
  src: string | undefined;
  status: FileUrlStatus;
  /** Call it when `src` did not load: a signature may have expired. Asks for another once; after that the file has failed. */
  onError: () => void;
  retry: () => void;
};

export const useFileUrls = (): FileUrls => useFeature(fileUrls);

/** `by` is the user for whom the URL was signed: the next user must not see it. */
type State = { of: string; by: string; src: string | undefined; status: FileUrlStatus; isRenewed: boolean };

const begin = (urls: FileUrls, url: string, by: string): State => {
  const src = url === '' ? undefined : urls.peek(url);
  const status = url === '' ? 'gone' : src === undefined ? 'loading' : 'ready';
  return { of: url, by, src, status, isRenewed: false };
};

const settle = (urls: FileUrls, known: State, src: string | undefined): State => {
  if (src === undefined) return { ...known, status: urls.isRefused(known.of) ? 'gone' : 'failed' };
  // The same URL would fail again.
  if (known.isRenewed && src === known.src) return { ...known, status: 'failed' };
  return { ...known, src, status: 'ready' };
};

/** The URL of a file as an element can load it. */
export function useFileUrl(url = ''): FileUrl {
  const urls = useFileUrls();
  const isOnline = useConnection().status === 'online';
  const by = useMe()?.id ?? '';
  const [state, setState] = useState(() => begin(urls, url, by));
  const current = state.of === url && state.by === by ? state : begin(urls, url, by);
  const { status } = current;

  const change = useCallback(
    (make: (known: State) => State) =>
      setState((known) => make(known.of === url && known.by === by ? known : begin(urls, url, by))),
    [urls, url, by],
  );
  useEffect(() => {
    if (url === '' || status !== 'loading') return;
    let isOver = false;
    urls.resolve(url).then((src) => !isOver && change((known) => settle(urls, known, src)));
    return () => {
      isOver = true;
    };
  }, [urls, url, status, change]);

  const retry = useCallback(
    () => change((known) => ({ ...begin(urls, known.of, known.by), status: 'loading' })),
    [change, urls],
  );
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current && status === 'failed') retry();
    wasOnline.current = isOnline;
  }, [isOnline, status, retry]);

  const onError = () => {
    if (url === '') return;
    if (current.isRenewed) return change((known) => ({ ...known, status: 'failed' }));
    change((known) => ({ ...known, isRenewed: true }));
    urls.refresh(url).then((src) => change((known) => settle(urls, known, src)));
  };
  return { src: current.src, status, onError, retry };
}
