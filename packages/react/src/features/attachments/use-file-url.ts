import { type FileUrls, fileUrls } from '@parley/client/attachments';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useFeature, useOwnId } from '../../chat/client-provider.tsx';
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

const firstPause = 15_000;
const mostTries = 5;

/** Tries a file again that failed: on a bad network it may fail though the connection stands. Each pause is twice the last. */
function useLaterTries(url: string, hasFailed: boolean, retry: () => void): void {
  const tries = useRef({ url, count: 0 });
  useEffect(() => {
    if (tries.current.url !== url) tries.current = { url, count: 0 };
    const { count } = tries.current;
    if (!hasFailed || count >= mostTries) return;
    const timer = setTimeout(
      () => {
        tries.current.count += 1;
        retry();
      },
      firstPause * 2 ** count,
    );
    return () => clearTimeout(timer);
  }, [url, hasFailed, retry]);
}

/** The URL of a file as an element can load it. */
export function useFileUrl(url = ''): FileUrl {
  const urls = useFileUrls();
  const isOnline = useConnection().status === 'online';
  const by = useOwnId() ?? '';
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
  useLaterTries(url, status === 'failed' && isOnline, retry);
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
