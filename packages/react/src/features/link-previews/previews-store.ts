import type { ParleyClient, VisibleMessage } from '@parley/client';
import { createLinkPreviews, findLinks, type LinkPreviewsHandle } from '@parley/client/previews';
import type { ComposerExtra } from '../messages/composer-extras.ts';

export type DraftPreviews = { previews: LinkPreviewsHandle; extra: ComposerExtra };

const kept = new WeakMap<ParleyClient, Map<string, DraftPreviews>>();

/** The cards that an edit may take away are those of the links that the message had. */
const ownerOf = ({ text }: VisibleMessage): NonNullable<ComposerExtra['owns']> => {
  const links = new Set(findLinks(text, Number.POSITIVE_INFINITY));
  return ({ og_scrape_url: url }) => url !== undefined && links.has(url);
};

const create = (
  client: ParleyClient,
  editing: VisibleMessage | undefined,
  forget: () => void,
): DraftPreviews => {
  const previews = createLinkPreviews(client);
  if (editing) previews.begin(editing);
  const end = () => {
    previews.clear();
    forget();
  };
  const extra: ComposerExtra = {
    attachments: previews.attachments,
    refusal: () => undefined,
    isEnough: () => false,
    subscribe: previews.subscribe,
    sent: editing ? end : previews.clear,
    ...(editing && { owns: ownerOf(editing), dropped: end }),
  };
  return { previews, extra };
};

/** What was found and what was dismissed in one draft or edit, for as long as it is being written. */
export const previewsOf = (client: ParleyClient, key: string, editing?: VisibleMessage): DraftPreviews => {
  const all = kept.get(client) ?? new Map<string, DraftPreviews>();
  kept.set(client, all);
  const known = all.get(key) ?? create(client, editing, () => all.delete(key));
  all.set(key, known);
  return known;
};
