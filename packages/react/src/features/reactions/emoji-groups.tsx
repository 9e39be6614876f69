import { memo, type RefObject, useEffect, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { type Emoji, type EmojiGroup, emojiGroups } from './emoji-data.ts';
import { EmojiGrid, moveFocus } from './emoji-grid.tsx';
import styles from './emoji-panel.module.css';
import { emojiTexts } from './emoji-texts.ts';
import type { EmojiTone } from './emoji-tones.ts';

const groupTitles = {
  people: 'emojiPeople',
  nature: 'emojiNature',
  food: 'emojiFood',
  activity: 'emojiActivity',
  travel: 'emojiTravel',
  objects: 'emojiObjects',
  symbols: 'emojiSymbols',
  flags: 'emojiFlags',
} as const;

const icons: Readonly<Record<EmojiGroup, string>> = {
  people: '😀',
  nature: '🐻',
  food: '🍔',
  activity: '⚽',
  travel: '🚗',
  objects: '💡',
  symbols: '❤️',
  flags: '🏁',
};

type GroupProps = {
  id?: EmojiGroup;
  title: string;
  emojis: readonly Emoji[];
  /** The number of emojis that are drawn so far. */
  shown?: number;
  tone: EmojiTone;
  onPick: (emoji: string) => void;
};

/** The height of a group by its title and its rows; those of fingers hold fewer emojis, by the width of the phone. */
const heightOf = (count: number): string => {
  const [perRow, row] = matchMedia('(pointer: coarse)').matches ? [8, 2.5625] : [10, 2.1875];
  return `${2.25 + Math.ceil(count / perRow) * row}rem`;
};

/** A group has its place before its emojis are drawn, so that its button leads there at once. */
export const EmojiGroupSection = memo(function EmojiGroupSection(props: GroupProps) {
  const { id, title, emojis, shown = emojis.length, tone, onPick } = props;
  const height = heightOf(emojis.length);
  const style = {
    containIntrinsicBlockSize: `auto ${height}`,
    minBlockSize: shown < emojis.length ? height : 0,
  };
  return (
    <section data-group={id} className={styles.group} style={style}>
      <h2 className={styles.title}>{title}</h2>
      <EmojiGrid label={title} emojis={emojis.slice(0, shown)} tone={tone} onPick={onPick} />
    </section>
  );
});

/** More emojis than the panel shows at once, and few enough for one frame. */
const ofOneFrame = 100;
const total = emojiGroups.reduce((sum, { emojis }) => sum + emojis.length, 0);

/** The number of emojis that are drawn: some with the panel, more with every frame. All at once would hold the page up. */
function useGrowing(): number {
  const [drawn, setDrawn] = useState(ofOneFrame);
  useEffect(() => {
    if (drawn >= total) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + ofOneFrame));
    return () => cancelAnimationFrame(frame);
  }, [drawn]);
  return drawn;
}

/** All groups in the order of their buttons. */
export function EmojiGroups({ tone, onPick }: Pick<GroupProps, 'tone' | 'onPick'>) {
  const text = useTexts(emojiTexts);
  let left = useGrowing();
  return emojiGroups.map(({ group, emojis }) => {
    const shown = Math.min(emojis.length, Math.max(0, left));
    left -= emojis.length;
    return (
      <EmojiGroupSection
        key={group}
        id={group}
        title={text(groupTitles[group])}
        emojis={emojis}
        shown={shown}
        tone={tone}
        onPick={onPick}
      />
    );
  });
}

const sectionsOf = (scroller: HTMLElement | null): HTMLElement[] => [
  ...(scroller?.querySelectorAll<HTMLElement>('[data-group]') ?? []),
];

/** The group at the top of the scrolled area. */
const groupAt = (scroller: HTMLElement | null): string | undefined =>
  sectionsOf(scroller).findLast(({ offsetTop }) => offsetTop <= (scroller?.scrollTop ?? 0) + 8)?.dataset
    .group;

export function useGroupAt(scroller: RefObject<HTMLElement | null>) {
  const [at, setAt] = useState<string>();
  return { at, onScroll: () => setAt(groupAt(scroller.current)) };
}

type TabsProps = { scroller: RefObject<HTMLElement | null>; at: string | undefined; label: string };

/** One button for each group, which scrolls to it. Arrows move inside, so Tab passes over it in one step. */
export function EmojiTabs({ scroller, at = 'people', label }: TabsProps) {
  const text = useTexts(emojiTexts);
  const show = (group: string) => {
    const section = sectionsOf(scroller.current).find((one) => one.dataset.group === group);
    scroller.current?.scrollTo({ top: section?.offsetTop ?? 0 });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons under one name are no fields of a form
    <div className={styles.tabs} role="group" aria-label={label} onKeyDown={moveFocus}>
      {emojiGroups.map(({ group }) => (
        <button
          key={group}
          type="button"
          className={styles.tab}
          title={text(groupTitles[group])}
          aria-label={text(groupTitles[group])}
          aria-current={group === at || undefined}
          tabIndex={group === 'people' ? 0 : -1}
          onClick={() => show(group)}
        >
          {icons[group]}
        </button>
      ))}
    </div>
  );
}
