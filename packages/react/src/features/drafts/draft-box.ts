import type { Readable, VisibleMessage } from '@parley/client';
import { type Box, createBox } from '../../chat/readables.ts';

/** What stands in a composer. */
export type Draft = {
  text: string;
  quote?: VisibleMessage;
  editing?: VisibleMessage;
  /** What had been typed before the edit began. */
  aside?: Omit<Draft, 'editing' | 'aside'>;
};

export const emptyDraft: Draft = { text: '' };

export type DraftBox = {
  of(key: string): Readable<Draft>;
  change(key: string, next: (draft: Draft) => Draft): void;
};

export const draftKey = (cid: string, parentId?: string): string => `${cid} ${parentId ?? ''}`;

/** Keeps what is typed, per channel and thread, while the client lives. */
export const createDraftBox = (): DraftBox => {
  const drafts = new Map<string, Box<Draft>>();
  const of = (key: string): Box<Draft> => {
    const box = drafts.get(key) ?? createBox(emptyDraft);
    drafts.set(key, box);
    return box;
  };
  return { of, change: (key, next) => of(key).set(next(of(key).get())) };
};

const restored = ({ aside }: Draft): Draft => aside ?? emptyDraft;

export const withText = (draft: Draft, text: string): Draft => ({ ...draft, text });

/** A quote belongs to a new message, so it ends an edit. */
export const withQuote = (draft: Draft, quote: VisibleMessage): Draft => ({
  ...(draft.editing ? restored(draft) : draft),
  quote,
});

export const withoutQuote = ({ quote: _, ...draft }: Draft): Draft => draft;

export const beginEdit = (draft: Draft, editing: VisibleMessage): Draft => {
  const { editing: _, aside: __, ...typed } = draft.editing ? restored(draft) : draft;
  return { text: editing.text, editing, aside: typed };
};

export const endEdit = (draft: Draft): Draft => (draft.editing ? restored(draft) : draft);

/** After a refusal: the edit comes back, unless something else is being written by now. */
export const backToEdit = (draft: Draft, lost: Draft): Draft =>
  draft.editing === undefined && draft.text === (lost.aside?.text ?? '') ? lost : draft;
