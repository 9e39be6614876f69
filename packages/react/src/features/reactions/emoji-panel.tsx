import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconSearch } from '../../ui/icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { LatePopup } from '../../ui/use-late-focus.ts';
import { type Emoji, emojiGroups, findEmojis } from './emoji-data.ts';
import { EmojiGrid } from './emoji-grid.tsx';
import { EmojiGroupSection, EmojiGroups, EmojiTabs, useGroupAt } from './emoji-groups.tsx';
import styles from './emoji-panel.module.css';
import { emojiTexts } from './emoji-texts.ts';
import { type EmojiTone, emojiTone, emojiTones, rememberTone, withoutTone, withTone } from './emoji-tones.ts';
import { recentEmojis, rememberEmoji } from './recent-emojis.ts';

export type EmojiPanelProps = {
  onPick: (emoji: string) => void;
  /** Offers tones of skin. Reactions have none: they would not be counted together. */
  tones?: boolean;
};

const known = new Map(emojiGroups.flatMap(({ emojis }) => emojis.map((emoji) => [emoji.char, emoji])));
const toneNames = [
  'emojiTone0',
  'emojiTone1',
  'emojiTone2',
  'emojiTone3',
  'emojiTone4',
  'emojiTone5',
] as const;

const recentOnes = (): readonly Emoji[] => [
  ...new Set(recentEmojis().flatMap((char) => known.get(char) ?? known.get(withoutTone(char)) ?? [])),
];

/** Puts the focus into the search field once it is there, unless the user has gone on. On a phone that would open the keyboard over the emojis. */
function useSearchFocus() {
  const field = useRef<HTMLInputElement>(null);
  const isLate = useContext(LatePopup);
  useEffect(() => {
    if (!isLate && matchMedia('(hover: hover) and (pointer: fine)').matches)
      field.current?.focus({ preventScroll: true });
  }, [isLate]);
  return field;
}

/** Every emoji by group, those used last first, with a search. */
export function EmojiPanel({ onPick, tones = false }: EmojiPanelProps) {
  const text = useTexts(emojiTexts);
  const [query, setQuery] = useState('');
  const [recent] = useState(recentOnes);
  const [chosen, setChosen] = useState(emojiTone);
  const tone = tones ? chosen : '';
  const choose = (next: EmojiTone) => {
    rememberTone(next);
    setChosen(next);
  };
  const field = useSearchFocus();
  const scroller = useRef<HTMLDivElement>(null);
  const { at, onScroll } = useGroupAt(scroller);
  const sought = query.trim();
  const latest = useRef(onPick);
  latest.current = onPick;
  const pick = useCallback(
    (emoji: string) => {
      const toned = withTone(emoji, tone);
      rememberEmoji(toned);
      latest.current(toned);
    },
    [tone],
  );
  const found = sought === '' ? undefined : findEmojis(sought, 100);
  return (
    <div className={styles.panel}>
      <TextField
        ref={field}
        type="search"
        label={text('searchEmojis')}
        hideLabel
        placeholder={text('searchEmojis')}
        value={query}
        onChange={setQuery}
        leading={<IconSearch size={18} />}
      />
      {found === undefined && <EmojiTabs scroller={scroller} at={at} label={text('emojis')} />}
      <div className={styles.scroll} ref={scroller} onScroll={onScroll}>
        {found?.length === 0 && <p className={styles.none}>{text('noEmojis')}</p>}
        {found !== undefined && <EmojiGrid label={text('emojis')} emojis={found} tone={tone} onPick={pick} />}
        {found === undefined && recent.length > 0 && (
          <EmojiGroupSection title={text('emojiRecent')} emojis={recent} tone={tone} onPick={pick} />
        )}
        {found === undefined && <EmojiGroups tone={tone} onPick={pick} />}
      </div>
      {tones && <Tones value={tone} onChange={choose} />}
    </div>
  );
}

function Tones({ value, onChange }: { value: EmojiTone; onChange: (tone: EmojiTone) => void }) {
  const text = useTexts(emojiTexts);
  return (
    <div className={styles.tones} role="radiogroup" aria-label={text('emojiTone')}>
      {emojiTones.map((tone, index) => (
        <label key={tone} className={styles.tone} data-chosen={tone === value || undefined}>
          <input
            type="radio"
            name="emoji-tone"
            className={styles.toneInput}
            aria-label={text(toneNames[index] ?? 'emojiTone0')}
            checked={tone === value}
            onChange={() => onChange(tone)}
          />
          {withTone('✋', tone)}
        </label>
      ))}
    </div>
  );
}
