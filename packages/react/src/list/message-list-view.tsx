import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTexts } from '../i18n/text-context.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { moveByKey } from './list-keys.ts';
import { drawnRows } from './list-page.ts';
import type { Anchor } from './list-window.ts';
import styles from './message-list-view.module.css';
import { listTexts } from './texts.ts';
import { type AnchoredList, type MessageListHandle, useAnchoredList } from './use-anchored-list.ts';

export type MessageListViewProps<T> = {
  /** Oldest first, separators included. */
  items: readonly T[];
  getKey: (item: T) => string;
  /** False for separators, which have no position in the feed. Has to stay the same function. */
  isMessage?: ((item: T) => boolean) | undefined;
  renderItem: (item: T, index: number) => ReactElement;
  /** The place to begin at; the end when left out or not loaded. Use a new `key` for each conversation. */
  initial?: Anchor | undefined;
  /** Called with the place of the reader when the list is unmounted, for the next `initial`; undefined at the end. */
  onLeave?: ((place: Anchor | undefined) => void) | undefined;
  hasMoreBefore?: boolean;
  hasMoreAfter?: boolean;
  loadingBefore?: boolean;
  loadingAfter?: boolean;
  onReachStart?: () => void;
  onReachEnd?: () => void;
  /** Called when the newest message comes into view or leaves it: mark read, show or hide the pill. */
  onAtEndChange?: (atEnd: boolean) => void;
  /** Called when the row in view is no longer loaded: once it is loaded again, the list is where it was. */
  onLost?: ((key: string) => void) | undefined;
  label?: string;
  /** Drawn over the lower edge, for instance `NewMessagesPill`. */
  overlay?: ReactNode;
  /** The same at the upper edge. */
  topOverlay?: ReactNode;
  ref?: Ref<MessageListHandle>;
};

/** A virtualised list that stays at its end; Tab enters it, arrows move from message to message. */
export function MessageListView<T>(props: MessageListViewProps<T>) {
  const { items, getKey, renderItem, loadingBefore = false, loadingAfter = false } = props;
  const text = useTexts(listTexts);
  const keys = useMemo(() => items.map(getKey), [items, getKey]);
  const separators = useSeparators(props);
  const list = useAnchoredList({
    keys,
    separators,
    initial: props.initial,
    hasMoreBefore: (props.hasMoreBefore ?? false) && !loadingBefore,
    hasMoreAfter: props.hasMoreAfter ?? false,
    onReachStart: props.onReachStart,
    onReachEnd: props.onReachEnd,
    onAtEndChange: props.onAtEndChange,
    onLeave: props.onLeave,
    onLost: props.onLost,
    handle: props.ref,
  });
  const focus = useKeptFocus(list.scroller);
  usePositions(list, separators, props);

  return (
    <div className={styles.frame}>
      <div className={styles.overlay} data-edge="start">
        {props.topOverlay}
        {loadingBefore && (
          <div className={styles.loading} data-edge="start">
            <Spinner label={text('loading')} />
          </div>
        )}
      </div>
      <div
        ref={list.scroller}
        className={styles.scroller}
        role="feed"
        aria-label={props.label ?? text('messages')}
        aria-busy={loadingBefore || loadingAfter}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a feed scrolls, and its keys begin at itself
        tabIndex={0}
        onScroll={list.onScroll}
        onKeyDown={(event) => moveByKey(event, list.onScroll)}
        {...focus}
      >
        <div className={styles.spacer} style={{ blockSize: list.above }} />
        {items.slice(list.start, list.end).map((item, offset) => {
          const index = list.start + offset;
          return (
            <div key={keys[index]} data-key={keys[index]} className={styles.item}>
              {renderItem(item, index)}
            </div>
          );
        })}
        <div style={{ blockSize: list.below }} className={styles.rest} />
      </div>
      {props.overlay !== undefined && <div className={styles.overlay}>{props.overlay}</div>}
    </div>
  );
}

/** The indices of the separators among the items. */
const useSeparators = <T,>({ items, isMessage }: MessageListViewProps<T>): readonly number[] =>
  useMemo(
    () => items.flatMap((item, index) => ((isMessage?.(item) ?? true) ? [] : [index])),
    [items, isMessage],
  );

/**
 * Sets the position of a message and their number for screen readers; -1 where that is not known. Written on the rows after they
 * are drawn: as props they would draw every row again when a page arrives.
 */
function usePositions<T>(
  { scroller, start }: AnchoredList,
  separators: readonly number[],
  {
    items,
    hasMoreBefore,
    hasMoreAfter,
  }: Pick<MessageListViewProps<T>, 'items' | 'hasMoreBefore' | 'hasMoreAfter'>,
) {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const size = hasMoreBefore || hasMoreAfter ? -1 : items.length - separators.length;
    let position = start - separators.filter((index) => index < start).length;
    for (const [offset, drawn] of drawnRows(element).entries()) {
      if (separators.includes(start + offset)) continue;
      position += 1;
      const row = drawn.querySelector('[data-row]');
      row?.setAttribute('aria-posinset', String(position));
      row?.setAttribute('aria-setsize', String(size));
    }
  });
}

/** A row that has the focus and is no longer drawn leaves it to the list, not to the page. */
function useKeptFocus(scroller: RefObject<HTMLElement | null>) {
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (isInside.current && document.activeElement === document.body)
      scroller.current?.focus({ preventScroll: true });
  });
  return {
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      isInside.current = false;
      delete currentTarget.dataset.keys;
    },
    // The release of Tab is the first key of a list that was reached by it.
    onKeyUp: ({ currentTarget }: KeyboardEvent<HTMLElement>) => {
      currentTarget.dataset.keys = '';
    },
  };
}
