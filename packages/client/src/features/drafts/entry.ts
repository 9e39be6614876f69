import type { Draft } from '@parley/protocol';
import { contentOf, type DraftContent, emptyContent, fileNames, isSameFiles, mergeFiles } from './content.ts';
import { mergeTexts } from './merge.ts';

/** One draft as this device knows it. */
export type Entry = {
  cid: string;
  parentId: string | undefined;
  content: DraftContent;
  /** The text as the server last had it here. */
  base: string;
  /** The files as the server last had them here. */
  baseFiles?: readonly string[];
  /** The server's version, 0 where it has none. */
  version: number;
  isDirty: boolean;
  /** Versions that were sent to the server without an answer yet: one that comes back is not another device's. */
  tried?: readonly DraftContent[];
  /** The content that is being sent as a message. */
  sending: DraftContent | undefined;
  at: string;
};

export const createEntry = (cid: string, parentId: string | undefined): Entry => ({
  cid,
  parentId,
  content: emptyContent,
  base: '',
  version: 0,
  isDirty: false,
  sending: undefined,
  at: '',
});

const isSame = (some: DraftContent, other: DraftContent): boolean =>
  some.text === other.text && some.quote?.id === other.quote?.id && isSameFiles(some, other);

/** Takes the draft of the server: as it is where nothing was typed here, else merged. */
export const takeDraft = (entry: Entry, draft: Draft): { entry: Entry; isMerged: boolean } => {
  const theirs = contentOf(draft);
  const baseFiles = fileNames(theirs);
  const { version, updated_at: at } = draft;
  const known = { ...entry, base: theirs.text, baseFiles, version, at, tried: [] };
  // Written here, and changed, sent or discarded since: what stands here is newer.
  if (entry.tried?.some((own) => isSame(own, theirs)))
    return { entry: { ...known, isDirty: !isSame(entry.content, theirs) }, isMerged: false };
  if (!entry.isDirty) return { entry: { ...known, content: theirs }, isMerged: false };
  const text = mergeTexts(entry.base, entry.content.text, theirs.text);
  const quote = entry.content.quote ?? theirs.quote;
  const attachments = mergeFiles(entry.baseFiles ?? [], entry.content, theirs);
  const rest = { ...theirs.rest, ...entry.content.rest, attachments };
  const content = { ...theirs, ...entry.content, rest, text, ...(quote && { quote }) };
  const isOther = text !== theirs.text || quote?.id !== theirs.quote?.id || !isSameFiles(content, theirs);
  return {
    entry: { ...known, content, isDirty: isOther },
    isMerged: text !== entry.content.text && entry.content.text !== '',
  };
};

/** The server has it no more: what was typed here since stays. */
export const dropDraft = (entry: Entry): Entry => ({
  ...entry,
  base: '',
  baseFiles: [],
  version: 0,
  tried: [],
  content: entry.isDirty ? entry.content : emptyContent,
});
