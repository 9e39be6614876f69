import { useChannelTitle } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import type { ComposerControls } from '../composer/use-composer.ts';
import styles from './also-to-channel.module.css';
import { threadTexts } from './texts.ts';

export type AlsoToChannelProps = { cid: string; composer: ComposerControls };

/** The choice to show a reply in the channel as well. An edit has none. */
export function AlsoToChannel({ cid, composer: { draft, acts } }: AlsoToChannelProps) {
  const text = useTexts(threadTexts);
  const name = useChannelTitle(cid);
  if (draft.editing) return null;
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={draft.isAlsoInChannel === true}
        onChange={(event) => acts.alsoToChannel(event.target.checked)}
      />
      <span dir="auto">{text('alsoToChannel', { name })}</span>
    </label>
  );
}
