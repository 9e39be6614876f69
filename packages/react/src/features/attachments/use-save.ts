import type { TextOf } from '../../i18n/text.ts';
import { useNotices } from '../../ui/notices.tsx';
import type { mediaTexts } from './media-texts.ts';
import { useFileUrls } from './use-file-url.ts';

/** Files of the Parley server are asked for as downloads: the server then names them. Files elsewhere open beside the app. */
const open = (url: string, isOwn: boolean): void => {
  if (!/^https?:$/.test(new URL(url, document.baseURI).protocol)) return;
  const link = document.createElement('a');
  link.href = isOwn ? `${url}${url.includes('?') ? '&' : '?'}download=1` : url;
  link.rel = 'noopener noreferrer';
  if (!isOwn) link.target = '_blank';
  link.click();
};

/** Saves a file to the disk, or shows that it cannot be loaded. */
export function useSave(text: TextOf<typeof mediaTexts>): (url: string | undefined) => void {
  const urls = useFileUrls();
  const notices = useNotices();
  return (url) => {
    if (url === undefined) return;
    urls.resolve(url).then((signed) => {
      if (signed === undefined) notices.show({ title: text('couldNotLoad'), tone: 'danger' });
      else open(signed, signed !== url);
    });
  };
}
