import type { LinkPreviewItem } from '@parley/client/link-previews';
import { useEffect, useMemo } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { editKey } from '../composer/composer-extras.ts';
import type { ComposerPlace } from '../composer/composer-parts.ts';
import { draftKey } from '../drafts/draft-box.ts';
import styles from './composer-previews.module.css';
import { PreviewCard, titleOf } from './preview-card.tsx';
import { draftPreviews } from './previews-store.ts';
import { previewTexts } from './texts.ts';

const isSeen = ({ state }: LinkPreviewItem) => state === 'loading' || state === 'loaded';

/** The previews of the links being typed, above the field. One that fails or is dismissed disappears. */
export function ComposerPreviews({ cid, parentId, composer: { draft, acts } }: ComposerPlace) {
  const text = useTexts(previewTexts);
  const kept = useFeature(draftPreviews);
  const { editing } = draft;
  const place = draftKey(cid, parentId);
  const key = editing ? editKey(place, editing.id) : place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message as it was when its edit began
  const { previews, extra } = useMemo(() => kept.of(key, editing), [kept, key]);
  useEffect(() => acts.carry(extra, editing?.id), [acts, extra, editing?.id]);
  useEffect(() => previews.type(draft.text), [previews, draft.text]);

  const items = useReadable(previews, ({ items }) => items);
  const last = items.findLast(({ state }) => state === 'loaded');
  const shown = items.filter(isSeen);
  return (
    <>
      <Announcer text={last ? text('added', { title: titleOf(last) }) : ''} />
      {shown.length > 0 && (
        <ul className={styles.list} aria-label={text('previews')}>
          {shown.map((item) => (
            <li key={item.url} className={styles.item} data-state={item.state}>
              <PreviewCard item={item} onDismiss={() => previews.dismiss(item.url)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
