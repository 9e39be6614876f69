import type { Feature, ParleyClient, VisibleMessage } from '@parley/client';
import { findLinks, type LinkPreviewsHandle, linkPreviews } from '@parley/client/link-previews';
import type { ComposerExtra } from '../composer/composer-extras.ts';

export type DraftPreviews = { previews: LinkPreviewsHandle; extra: ComposerExtra };

/** An edit may remove only the cards of the links that the message had. */
const ownerOf = ({ text }: VisibleMessage): NonNullable<ComposerExtra['owns']> => {
  const links = new Set(findLinks(text, Number.POSITIVE_INFINITY));
  return ({ og_scrape_url: url }) => url !== undefined && links.has(url);
};

const create = (
  client: ParleyClient,
  editing: VisibleMessage | undefined,
  forget: () => void,
): DraftPreviews => {
  const previews = client.feature(linkPreviews).create();
  if (editing) previews.start(editing);
  const end = () => {
    previews.stop();
    forget();
  };
  const extra: ComposerExtra = {
    attachments: previews.attachments,
    refusal: () => undefined,
    isEnough: () => false,
    subscribe: previews.subscribe,
    reset: editing ? end : previews.reset,
    ...(editing && { owns: ownerOf(editing), stop: end }),
  };
  return { previews, extra };
};

/** The previews found and dismissed in drafts and edits, by the key of the draft, for as long as each is being written. */
export const draftPreviews: Feature<{ of(key: string, editing?: VisibleMessage): DraftPreviews }> = {
  name: 'draft-previews',
  create: ({ client, resets }) => {
    const all = new Map<string, DraftPreviews>();
    resets.push(() => all.clear());
    return {
      of: (key, editing) => {
        const previews = all.get(key) ?? create(client, editing, () => all.delete(key));
        all.set(key, previews);
        return previews;
      },
    };
  },
};
