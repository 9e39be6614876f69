import type { ParleyClient, VisibleMessage } from '@parley/client';
import { type DraftContent, drafts as draftsFeature } from '@parley/client/drafts';
import { followMessages, type HeldChange, keptMessages } from '@parley/client/messages';
import { type Draft, type DraftBox, draftKey, isSameFiles, typedIn, withAttachments } from './draft-box.ts';

/** The draft with the text and quote of another device. */
const withTyped = (draft: Draft, written: Pick<Draft, 'text' | 'quote'>): Draft => {
  const { attachments } = typedIn(draft);
  const typed = { ...written, ...(attachments && { attachments }) };
  return draft.editing
    ? { ...draft, before: typed }
    : { ...typed, ...(draft.isAlsoInChannel && { isAlsoInChannel: true }) };
};

const placeOf = (key: string): [cid: string, parentId: string | undefined] => {
  const [cid = '', parentId = ''] = key.split(' ');
  return [cid, parentId || undefined];
};

const isSame = ({ text, quote, attachments = [] }: Draft, content: DraftContent): boolean =>
  text === content.text &&
  quote?.id === content.quote?.id &&
  isSameFiles(attachments, content.rest?.attachments ?? []);

const requoted = (draft: Draft, change: HeldChange): Draft => {
  const { quote, before, ...rest } = draft;
  const next = quote && change(quote);
  const under = before && requoted(before, change);
  if (next === quote && under === before) return draft;
  return { ...rest, ...(next && { quote: { ...next, status: 'sent' } }), ...(under && { before: under }) };
};

/** Changes the quotes above the composers, when their messages were changed or deleted. */
export const requote = (box: DraftBox, change: HeldChange): void => {
  for (const { key } of box.begun()) box.change(key, (draft) => requoted(draft, change));
};

/** Keeps the composers and the user's drafts on the server equal; returns its stop. */
export const carryDrafts = (client: ParleyClient, box: DraftBox, onMerge: () => void): (() => void) => {
  const drafts = client.feature(draftsFeature);
  const kept = client.feature(keptMessages);
  const seen = new Set<string>();
  let isApplying = false;

  const save = (key: string, draft: Draft) => {
    const [cid, parentId] = placeOf(key);
    const saved = drafts.of(cid, parentId).get();
    const typed = typedIn(draft);
    if (isSame(typed, saved)) return;
    const { text, quote, attachments = [] } = typed;
    const rest = { ...saved.rest, attachments: [...attachments] };
    drafts.set(cid, parentId, { text, ...(quote && { quote }), rest });
  };
  const apply = (key: string) => {
    const content = drafts.of(...placeOf(key)).get();
    if (isSame(typedIn(box.of(key).get()), content)) return;
    const { text, rest: { attachments = [] } = {} } = content;
    const quote: VisibleMessage | undefined = content.quote && { ...content.quote, status: 'sent' };
    isApplying = true;
    box.change(key, (draft) =>
      withAttachments(withTyped(draft, { text, ...(quote && { quote }) }), attachments),
    );
    isApplying = false;
  };
  const applyAll = () => {
    for (const { cid, parentId } of drafts.all.get()) seen.add(draftKey(cid, parentId));
    for (const key of seen) apply(key);
  };

  // The carrier is loaded after the first screen: a quote that was chosen before must not be replaced by an older one of the server.
  for (const { key, draft } of box.begun()) save(key, draft);
  applyAll();
  const stops = [
    drafts.all.subscribe(applyAll),
    box.carry({
      changed: (key, draft) => {
        seen.add(key);
        if (!isApplying) save(key, draft);
      },
      // A message that this device keeps until it is stored needs no copy in the composer.
      reset: (key, stored) => drafts.reset(...placeOf(key), kept.isKeeping() ? Promise.resolve() : stored),
      pause: (key) => drafts.pause(...placeOf(key)),
    }),
    drafts.onMerge(onMerge),
    followMessages(client.on, (change) => requote(box, change)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
