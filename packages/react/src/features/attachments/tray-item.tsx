import { canRetry, isRunning, UploadCutOffError, type UploadItem } from '@parley/client/attachments';
import { memo, useRef } from 'react';
import { errorTexts } from '../../chat/error-texts.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClose } from '../../ui/icons.tsx';
import { fileSize } from './file-size.ts';
import { isPicture } from './pictures.ts';
import styles from './tray.module.css';
import type { Tray } from './tray.ts';
import { IconFile, IconRetry } from './upload-icons.tsx';
import { uploadTexts } from './upload-texts.ts';
import { useFileUrl } from './use-file-url.ts';
import { reasonOf } from './use-tray.ts';
import { sortingMark, type TraySorting } from './use-tray-sorting.ts';

export type TrayItemProps = Pick<TraySorting, 'grab' | 'step'> & {
  item: UploadItem;
  isHeld: boolean;
  tray: Tray;
  onDescribe: (id: string) => void;
};

/** One file with its kind, its progress and its actions. */
export const TrayItem = memo(function TrayItem(props: TrayItemProps) {
  const text = useTexts(uploadTexts);
  const { item, isHeld, tray, grab, step, onDescribe } = props;
  const { id, name, state } = item;
  const running = isRunning(item);
  return (
    <li className={styles.item} data-state={state} data-held={isHeld || undefined} {...sortingMark(id)}>
      <span className={styles.thumb}>
        <button
          type="button"
          className={styles.handle}
          aria-label={text('move', { name })}
          onPointerDown={(event) => grab(event, id)}
          onKeyDown={(event) => step(event, id)}
        >
          <Picture item={item} tray={tray} />
        </button>
        {running && <Ring item={item} />}
      </span>
      <span className={styles.words}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        <State item={item} />
      </span>
      <span className={styles.buttons}>
        {isPicture(item.mimeType) && !item.notice && (
          <button
            type="button"
            className={styles.alt}
            data-on={item.alt !== undefined || undefined}
            aria-label={text('describe', { name })}
            onClick={() => onDescribe(id)}
          >
            ALT
          </button>
        )}
        {item.error instanceof UploadCutOffError && (
          <ChooseAgain name={name} onChosen={(file) => tray.replace(id, file)} />
        )}
        {canRetry(item) && (
          <IconButton size="s" label={text('retry', { name })} onClick={() => tray.retry(id)}>
            <IconRetry size={16} />
          </IconButton>
        )}
        <IconButton
          size="s"
          label={text(running ? 'cancelUpload' : 'remove', { name })}
          onClick={() => tray.delete(id)}
        >
          <IconClose size={16} />
        </IconButton>
      </span>
    </li>
  );
});

type ChooseAgainProps = { name: string; onChosen: (file: File) => void };

function ChooseAgain({ name, onChosen }: ChooseAgainProps) {
  const text = useTexts(uploadTexts);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton size="s" label={text('chooseAgain', { name })} onClick={() => picker.current?.click()}>
        <IconRetry size={16} />
      </IconButton>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) onChosen(file);
        }}
      />
    </>
  );
}

function Picture({ item, tray }: Pick<TrayItemProps, 'item' | 'tray'>) {
  const { attachment, file } = item;
  const { src: stored } = useFileUrl(file ? undefined : (attachment?.thumb_url ?? attachment?.image_url));
  const own = useReadable(tray.pictures, (all) => all.get(item.id));
  const picture = own ?? stored;
  if (picture === undefined) return <IconFile />;
  return <img className={styles.picture} src={picture} alt="" decoding="async" draggable={false} />;
}

const radius = 9;
const around = 2 * Math.PI * radius;

function Ring({ item }: Pick<TrayItemProps, 'item'>) {
  const text = useTexts(uploadTexts);
  const { name, progress } = item;
  return (
    <span
      className={styles.ring}
      role="progressbar"
      aria-label={text('progress', { name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(progress * 100)}
    >
      <svg width="24" height="24" viewBox="0 0 24 24" fill="none" strokeWidth="3" aria-hidden="true">
        <circle className={styles.track} cx="12" cy="12" r={radius} />
        <circle
          className={styles.done}
          cx="12"
          cy="12"
          r={radius}
          strokeDasharray={around}
          strokeDashoffset={around * (1 - Math.max(0.03, progress))}
        />
      </svg>
    </span>
  );
}

function State({ item }: Pick<TrayItemProps, 'item'>) {
  const text = useTexts(uploadTexts);
  const errorText = useTexts(errorTexts);
  const { locale } = useFormat();
  const { state, progress } = item;
  const size = fileSize(item.size, locale);
  if (state === 'failed' || state === 'blocked') {
    const reason = reasonOf(item.error, { text, errorText, locale });
    return (
      <span role="alert" className={styles.lost}>
        {state === 'blocked' ? text('blocked') : text('failed')}
        {reason !== undefined && <span className={styles.reason}>{reason}</span>}
      </span>
    );
  }
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(progress);
  const words = {
    pending: text('waiting'),
    uploading: text('percent', { percent, size }),
    finished: size,
  }[state];
  return <span className={styles.state}>{words}</span>;
}
