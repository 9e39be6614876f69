import { useState } from 'react';
import { useChannel } from '../../chat/use-channel.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerPlace } from '../composer/composer-parts.ts';

// A message is complete without its previews: a failed load is not shown.
const ComposerPreviews = lazyPart<ComposerPlace>(
  async () => (await import('./composer-previews.tsx')).ComposerPreviews,
  { Missing: () => null },
);

/** Previews of the links being typed, where links may be sent and are looked up. Mounted with the first link, and kept: a
 * lookup has to be cancelled when the link is gone. */
export function ComposerLinks(props: ComposerPlace) {
  const mayLink = useChannel(
    props.cid,
    (state) => state?.capabilities.has('send-links') && state.channel.config?.url_enrichment !== false,
  );
  const [wasLinked, setLinked] = useState(false);
  if (!wasLinked && /https?:\/\/|www\./i.test(props.composer.draft.text)) setLinked(true);
  return mayLink && wasLinked ? <ComposerPreviews {...props} /> : null;
}
