import { Dialog as Base } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { kindOf } from '../../summary/kinds.ts';
import { cx, kitRoot } from '../../ui/cx.ts';
import { IconBack, IconClose } from '../../ui/icons.tsx';
import { useLayer } from '../../ui/layers.ts';
import styles from './lightbox.module.css';
import {
  LightboxImage,
  type LightboxItem,
  LightboxVideo,
  PreloadedImage,
  type StageHandle,
} from './lightbox-stage.tsx';
import { IconDownload, IconForward, IconGoTo, IconZoomIn, IconZoomOut } from './media-icons.tsx';
import { mediaTexts } from './media-texts.ts';
import { useSave } from './use-save.ts';

export type LightboxProps = {
  items: readonly LightboxItem[];
  first: number;
  onClose: () => void;
  /** Called when the last but one is shown: more may be loaded. */
  onNearEnd?: (() => void) | undefined;
};

const isRtl = () => document.documentElement.dir === 'rtl';

/** The action of a key; undefined for keys that the lightbox does not use. */
const keyAct = (key: string): 'next' | 'previous' | 'in' | 'out' | 'close' | undefined => {
  if (key === 'ArrowRight') return isRtl() ? 'previous' : 'next';
  if (key === 'ArrowLeft') return isRtl() ? 'next' : 'previous';
  if (key === '+' || key === '=') return 'in';
  if (key === '-') return 'out';
  return key === 'Escape' ? 'close' : undefined;
};

/** Pictures over the whole screen, one at a time. */
export function Lightbox({ items, first, onClose, onNearEnd }: LightboxProps) {
  const text = useTexts(mediaTexts);
  const [at, setAt] = useState(first);
  const stage = useRef<StageHandle>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayer(items.length > 0, onClose);
  const index = Math.min(at, items.length - 1);
  const item = items[index];
  if (!item) return null;
  const go = (by: 1 | -1) => {
    const next = Math.min(items.length - 1, Math.max(0, index + by));
    setAt(next);
    if (next >= items.length - 2) onNearEnd?.();
  };
  const acts = {
    next: () => go(1),
    previous: () => go(-1),
    in: () => stage.current?.zoomBy(1.5),
    out: () => stage.current?.zoomBy(1 / 1.5),
    close: onClose,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keyAct(event.key);
    const isVideo = event.target instanceof HTMLVideoElement && event.key !== 'Escape';
    if (act === undefined || isVideo || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[act]();
  };
  const isVideo = kindOf(item.attachment) === 'video';
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Popup
          ref={popup}
          initialFocus={popup}
          className={cx(kitRoot, styles.lightbox)}
          data-theme="dark"
          onKeyDown={onKeyDown}
        >
          <Top item={item} acts={acts} isVideo={isVideo} />
          {isVideo ? (
            <LightboxVideo key={index} item={item} />
          ) : (
            <LightboxImage key={index} ref={stage} item={item} onSwipe={(swipe) => acts[swipe]()} />
          )}
          <Neighbours items={items} index={index} />
          <Sides index={index} count={items.length} acts={acts} />
          <p dir="auto" className={styles.count} aria-live="polite">
            {items.length > 1 && text('count', { n: index + 1, all: items.length })}
            <span className={styles.hidden}> {item.alt}</span>
          </p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type SidesProps = {
  index: number;
  count: number;
  acts: { next: () => void; previous: () => void };
};

function Sides({ index, count, acts }: SidesProps) {
  const text = useTexts(mediaTexts);
  const side = (name: 'start' | 'end', label: string, act: () => void) => (
    <button type="button" className={styles.side} data-side={name} aria-label={label} onClick={act}>
      {name === 'start' ? <IconBack size={24} /> : <IconForward size={24} />}
    </button>
  );
  return (
    <>
      {index > 0 && side('start', text('previous'), acts.previous)}
      {index < count - 1 && side('end', text('next'), acts.next)}
    </>
  );
}

type TopProps = {
  item: LightboxItem;
  acts: { in: () => void; out: () => void; close: () => void };
  isVideo: boolean;
};

function Top({ item, acts, isVideo }: TopProps) {
  const text = useTexts(mediaTexts);
  const save = useSave(text);
  const { attachment, onGoTo } = item;
  return (
    <header className={styles.top}>
      <div className={styles.words}>
        <Base.Title className={styles.hidden}>{text('viewer')}</Base.Title>
        <span dir="auto" className={styles.by}>
          {item.by ?? attachment.title}
        </span>
        <span className={styles.at}>{item.at}</span>
      </div>
      {!isVideo && (
        <>
          <Tool label={text('zoomOut')} onClick={acts.out} isWide>
            <IconZoomOut size={22} />
          </Tool>
          <Tool label={text('zoomIn')} onClick={acts.in} isWide>
            <IconZoomIn size={22} />
          </Tool>
        </>
      )}
      {onGoTo && (
        <Tool
          label={text('goToMessage')}
          onClick={() => {
            acts.close();
            onGoTo();
          }}
        >
          <IconGoTo size={22} />
        </Tool>
      )}
      <Tool label={text('download')} onClick={() => save(attachment.image_url ?? attachment.asset_url)}>
        <IconDownload size={22} />
      </Tool>
      <Tool label={text('close')} onClick={acts.close}>
        <IconClose size={22} />
      </Tool>
    </header>
  );
}

type ToolProps = { label: string; onClick: () => void; isWide?: boolean; children: ReactNode };

function Tool({ label, onClick, isWide, children }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      data-wide={isWide || undefined}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Loads the pictures on both sides ahead, so that the next one is there when it is asked for. */
function Neighbours({ items, index }: { items: readonly LightboxItem[]; index: number }) {
  return [index + 1, index - 1].map((place) => {
    const item = items[place];
    return item && kindOf(item.attachment) === 'image' && <PreloadedImage key={place} item={item} />;
  });
}
