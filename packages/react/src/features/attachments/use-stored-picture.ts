import { useEffect, useState } from 'react';
import { useFileUrls } from './use-file-url.ts';

/** The address under which an image can load a picture that was stored before and is no longer on this device. */
export function useStoredPicture(url: string | undefined): string | undefined {
  const urls = useFileUrls();
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
