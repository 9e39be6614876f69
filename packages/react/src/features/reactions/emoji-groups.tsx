import { type RefObject, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { type Emoji, type EmojiGroup, emojiGroups } from './emoji-data.ts';
import { EmojiGrid, moveFocus } from './emoji-grid.tsx';
import styles from './emoji-panel.module.css';
import { emojiTexts } from './emoji-texts.ts';
import type { EmojiTone } from './emoji-tones.ts';

export const groupTitles = {
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
  tone: EmojiTone;
  onPick: (emoji: string) => void;
};

export function EmojiGroupSection({ id, title, emojis, tone, onPick }: GroupProps) {
  return (
    <section data-group={id}>
      <h2 className={styles.title}>{title}</h2>
      <EmojiGrid label={title} emojis={emojis} tone={tone} onPick={onPick} />
    </section>
  );
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
