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

const settle = (urls: FileUrls, previous: State, src: string | undefined): State => {
  if (src === undefined) return { ...previous, status: urls.isRefused(previous.of) ? 'gone' : 'failed' };
  // The same URL would fail again.
  if (previous.isRenewed && src === previous.src) return { ...previous, status: 'failed' };
  return { ...previous, src, status: 'ready' };
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
    (make: (previous: State) => State) =>
      setState((previous) =>
        make(previous.of === url && previous.by === by ? previous : begin(urls, url, by)),
      ),
    [urls, url, by],
  );
  useEffect(() => {
    if (url === '' || status !== 'loading') return;
    let isOver = false;
    urls.resolve(url).then((src) => !isOver && change((previous) => settle(urls, previous, src)));
    return () => {
      isOver = true;
    };
  }, [urls, url, status, change]);

  const retry = useCallback(
    () => change((previous) => ({ ...begin(urls, previous.of, previous.by), status: 'loading' })),
    [change, urls],
  );
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current && status === 'failed') retry();
    wasOnline.current = isOnline;
  }, [isOnline, status, retry]);

  const onError = () => {
    if (url === '') return;
    if (current.isRenewed) return change((previous) => ({ ...previous, status: 'failed' }));
    change((previous) => ({ ...previous, isRenewed: true }));
    urls.refresh(url).then((src) => change((previous) => settle(urls, previous, src)));
  };
  return { src: current.src, status, onError, retry };
}
