import type { LinkPreviewItem } from '@parley/client/link-previews';
import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClose, IconLink } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './composer-previews.module.css';
import { previewTexts } from './texts.ts';

const hostOf = (url: string): string => new URL(url).host.replace(/^www\./, '');
export const titleOf = ({ url, preview }: LinkPreviewItem): string => preview?.title ?? hostOf(url);

export type PreviewCardProps = { item: LinkPreviewItem; onDismiss: () => void };

/** One link of the message being written. */
export function PreviewCard({ item, onDismiss }: PreviewCardProps) {
  const text = useTexts(previewTexts);
  const { preview, state, url } = item;
  const title = titleOf(item);
  const host = hostOf(url);
  const about = [preview?.author_name ?? host, preview?.text].filter(Boolean).join(' · ');
  return (
    <>
      <Picture key={preview?.thumb_url} url={preview?.thumb_url ?? preview?.image_url} state={state} />
      <div className={styles.words}>
        <span dir="auto" className={styles.title}>
          {preview ? title : text('loading', { host })}
        </span>
        {preview && (
          <span dir="auto" className={styles.about}>
            {about}
          </span>
        )}
      </div>
      <IconButton label={text('remove', { title })} size="s" tooltip="none" onClick={onDismiss}>
        <IconClose size={16} />
      </IconButton>
    </>
  );
}

/** The picture comes from the page's own server, which gets no referrer. */
function Picture({ url, state }: { url: string | undefined; state: LinkPreviewItem['state'] }) {
  const [isBroken, setBroken] = useState(false);
  if (url === undefined || isBroken)
    return <span className={styles.picture}>{state === 'loading' ? <Spinner /> : <IconLink />}</span>;
  return (
    <img
      className={styles.picture}
      src={url}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  );
}
