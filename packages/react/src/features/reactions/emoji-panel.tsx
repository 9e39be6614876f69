import { useState } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { IconSearch } from '../../ui/icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type Emoji, emojiGroups, findEmojis } from './emoji-data.ts';
import { EmojiGrid } from './emoji-grid.tsx';
import styles from './emoji-panel.module.css';
import { recentEmojis, rememberEmoji } from './recent-emojis.ts';

export type EmojiPanelProps = { onPick: (emoji: string) => void };

const known = new Map(emojiGroups.flatMap(({ emojis }) => emojis.map((emoji) => [emoji.char, emoji])));
const titles = {
  people: 'emojiPeople',
  nature: 'emojiNature',
  food: 'emojiFood',
  activity: 'emojiActivity',
  travel: 'emojiTravel',
  objects: 'emojiObjects',
  symbols: 'emojiSymbols',
} as const;

const recentOnes = (): readonly Emoji[] => recentEmojis().flatMap((char) => known.get(char) ?? []);

/** Every emoji by group, those used last first, with a search. */
export function EmojiPanel({ onPick }: EmojiPanelProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const [recent] = useState(recentOnes);
  const sought = query.trim();
  const pick = (emoji: string) => {
    rememberEmoji(emoji);
    onPick(emoji);
  };
  const found = sought === '' ? undefined : findEmojis(sought.replaceAll(' ', '_'), 100);
  return (
    <div className={styles.panel}>
      <TextField
        type="search"
        label={text('searchEmojis')}
        hideLabel
        placeholder={text('searchEmojis')}
        value={query}
        onChange={setQuery}
        leading={<IconSearch size={18} />}
      />
      <div className={styles.scroll}>
        {found?.length === 0 && <p className={styles.none}>{text('noEmojis')}</p>}
        {found !== undefined && <EmojiGrid label={text('emojis')} emojis={found} onPick={pick} />}
        {found === undefined && recent.length > 0 && (
          <Group title={text('emojiRecent')} emojis={recent} onPick={pick} />
        )}
        {found === undefined &&
          emojiGroups.map(({ group, emojis }) => (
            <Group key={group} title={text(titles[group])} emojis={emojis} onPick={pick} />
          ))}
      </div>
    </div>
  );
}

type GroupProps = { title: string; emojis: readonly Emoji[]; onPick: (emoji: string) => void };

function Group({ title, emojis, onPick }: GroupProps) {
  return (
    <section className={styles.group}>
      <h3 className={styles.title}>{title}</h3>
      <EmojiGrid label={title} emojis={emojis} onPick={onPick} />
    </section>
  );
}
