import { type KeyboardEvent, type ReactElement, type ReactNode, type Ref, useMemo, useRef } from 'react';
import { Virtualizer } from 'virtua';
import { useText } from '../../i18n/text-context.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './message-list-view.module.css';
import { type MessageListHandle, useAnchoredList } from './use-anchored-list.ts';

export type MessageListViewProps<T> = {
  /** Oldest first, separators included. */
  items: readonly T[];
  getKey: (item: T) => string;
  renderItem: (item: T, index: number) => ReactElement;
  /** Where to begin; the end when left out. Mount anew (`key`) for each conversation. */
  initialKey?: string;
  hasMoreBefore?: boolean;
  hasMoreAfter?: boolean;
  loadingBefore?: boolean;
  loadingAfter?: boolean;
  onReachStart?: () => void;
  onReachEnd?: () => void;
  /** Whether the newest message is in view: mark read, show or hide the pill. */
  onAtEndChange?: (atEnd: boolean) => void;
  label?: string;
  /** Laid over the lower edge, for instance `NewMessagesPill`. */
  overlay?: ReactNode;
  ref?: Ref<MessageListHandle>;
};

/** A virtualised list that stays at its end; Tab enters it, arrows move from message to message. */
export function MessageListView<T>(props: MessageListViewProps<T>) {
  const { items, getKey, renderItem, loadingBefore = false, loadingAfter = false } = props;
  const text = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => items.map(getKey), [items, getKey]);
  const list = useAnchoredList({
    keys,
    initialKey: props.initialKey,
    hasMoreBefore: (props.hasMoreBefore ?? false) && !loadingBefore,
    hasMoreAfter: (props.hasMoreAfter ?? false) && !loadingAfter,
    onReachStart: props.onReachStart,
    onReachEnd: props.onReachEnd,
    onAtEndChange: props.onAtEndChange,
    handle: props.ref,
  });

  return (
    <div className={styles.frame}>
      {loadingBefore && (
        <div className={styles.loading} data-edge="start">
          <Spinner label={text('loading')} />
        </div>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        role="feed"
        aria-label={props.label ?? text('messages')}
        aria-busy={loadingBefore || loadingAfter}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveBetweenRows}
      >
        <div className={styles.spacer} />
        <Virtualizer
          ref={list.virtualizer}
          scrollRef={scroller}
          data={items}
          shift={list.shift}
          bufferSize={500}
          onScroll={list.onScroll}
          onResize={list.onResize}
        >
          {(item, index) => (
            <div key={keys[index]} className={styles.item}>
              {renderItem(item, index)}
            </div>
          )}
        </Virtualizer>
      </div>
      {props.overlay !== undefined && <div className={styles.overlay}>{props.overlay}</div>}
    </div>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  const target = event.target;
  const onRow = target instanceof HTMLElement && target.hasAttribute('data-row');
  if (!onRow && target !== event.currentTarget) return;
  const rows = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[data-row]'));
  const here = onRow ? rows.indexOf(target) : rows.length;
  const next = rows[here + (event.key === 'ArrowUp' ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}
