import { useState } from 'react';
import { useChannel } from '../../chat/use-channel.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerPlace } from '../composer/composer-parts.ts';

// A message goes without its previews: one that cannot be loaded is not missed.
const ComposerPreviews = lazyPart<ComposerPlace>(
  async () => (await import('./composer-previews.tsx')).ComposerPreviews,
  { Missing: () => null },
);

/** Previews of the links being typed, where links may be sent and are looked up. Comes with the first link, and stays: what
 * is asked for has to be called off when the link is gone. */
export function ComposerLinks(props: ComposerPlace) {
  const mayLink = useChannel(
    props.cid,
    (state) => state?.capabilities.has('send-links') && state.channel.config?.url_enrichment !== false,
  );
  const [wasLinked, setLinked] = useState(false);
  if (!wasLinked && /https?:\/\/|www\./i.test(props.composer.draft.text)) setLinked(true);
  return mayLink && wasLinked ? <ComposerPreviews {...props} /> : null;
}
