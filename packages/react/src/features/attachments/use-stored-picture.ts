import type { ParleyClient } from '@parley/client';
import { createFileUrls, type FileUrls } from '@parley/client/uploads';
import { useEffect, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';

const made = new WeakMap<ParleyClient, FileUrls>();

const urlsOf = (client: ParleyClient): FileUrls => {
  const known = made.get(client) ?? createFileUrls(client);
  made.set(client, known);
  return known;
};

/** What was stored before and is on this device no more, as an image can load it. */
export function useStoredPicture(url: string | undefined): string | undefined {
  const urls = urlsOf(useClient());
  const [found, setFound] = useState<string>();
  useEffect(() => {
    setFound(undefined);
    if (url === undefined) return;
    let isOver = false;
    void urls.resolve(url).then((signed) => !isOver && setFound(signed));
    return () => {
      isOver = true;
    };
  }, [urls, url]);
  return found;
}
