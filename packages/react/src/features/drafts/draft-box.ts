import type { Attachment, Feature, Readable, VisibleMessage } from '@parley/client';
import { type Box, createBox } from '../../chat/readables.ts';
import type { TextOf } from '../../i18n/text.ts';
import type { draftTexts } from './texts.ts';

/** The content of a composer. */
export type Draft = {
  text: string;
  quote?: VisibleMessage;
  editing?: VisibleMessage;
  /** The attachments that are stored already. */
  attachments?: readonly Attachment[];
  /** True for a reply that is shown in the channel as well. */
  isAlsoInChannel?: boolean;
  /** The draft from before the edit began. */
  before?: Omit<Draft, 'editing' | 'before'>;
};

export const emptyDraft: Draft = { text: '' };

const isEmptyDraft = ({ text, attachments }: Draft): boolean => text.trim() === '' && !attachments;

export type NamedDraft = { key: string; draft: Draft };

/** Saves drafts on the server for the user's other devices; it is loaded late, or never. */
export type DraftCarrier = {
  changed(key: string, draft: Draft): void;
  /** Empties the stored draft once its message is stored. */
  reset(key: string, stored: Promise<unknown>): void;
  /** Holds back changes from other devices until the stop. */
  pause(key: string): () => void;
};

export type DraftBox = {
  of(key: string): Readable<Draft>;
  change(key: string, next: (draft: Draft) => Draft): void;
  /** Empties the stored draft of a message that is being sent; call it before `change` empties the draft here. */
  reset(key: string, stored: Promise<unknown>): void;
  /** Call it when a composition begins, which changes from other devices would break. Returns the stop. */
  pause(key: string): () => void;
  /** The drafts with text or files, the last changed first. */
  all: Readable<readonly NamedDraft[]>;
  /** The drafts with any content, also a quote alone. */
  begun(): readonly NamedDraft[];
  /** Empties all drafts here; the carrier does not save that. */
  resetAll(): void;
  /** Returns the stop. */
  carry(carrier: DraftCarrier): () => void;
};

export const draftKey = (cid: string, parentId?: string): string => `${cid} ${parentId ?? ''}`;

/** Keeps the drafts per channel and thread; a carrier saves them on the server. */
export const createDraftBox = (): DraftBox => {
  const drafts = new Map<string, Box<Draft>>();
  const all = createBox<readonly NamedDraft[]>([]);
  let carrier: DraftCarrier | undefined;
  const of = (key: string): Box<Draft> => {
    const box = drafts.get(key) ?? createBox(emptyDraft);
    drafts.set(key, box);
    return box;
  };
  return {
    of,
    all,
    change: (key, next) => {
      const draft = next(of(key).get());
      if (draft === of(key).get()) return;
      of(key).set(draft);
      const others = all.get().filter((named) => named.key !== key);
      if (!isEmptyDraft(typedIn(draft))) all.set([{ key, draft }, ...others]);
      else if (others.length < all.get().length) all.set(others);
      carrier?.changed(key, draft);
    },
    begun: () =>
      [...drafts].flatMap(([key, box]) => {
        const draft = box.get();
        return isEmptyDraft(typedIn(draft)) && !typedIn(draft).quote ? [] : [{ key, draft }];
      }),
    resetAll: () => {
      for (const box of drafts.values()) box.set(emptyDraft);
      all.set([]);
    },
    reset: (key, stored) => carrier?.reset(key, stored),
    pause: (key) => carrier?.pause(key) ?? (() => {}),
    carry: (given) => {
      carrier = given;
      return () => {
        if (carrier === given) carrier = undefined;
      };
    },
  };
};

/** The drafts of the user of a client; emptied at sign-out. */
export const draftBox: Feature<DraftBox> = {
  name: 'draft-box',
  create: ({ resets }) => {
    const box = createDraftBox();
    resets.push(box.resetAll);
    return box;
  },
};

const restored = ({ before }: Draft): Draft => before ?? emptyDraft;

/** The draft of a new message, which an edit keeps in `before`. */
export const typedIn = (draft: Draft): Draft => (draft.editing ? restored(draft) : draft);

/** The server gives the fields back in another order. */
const canonical = (attachments: readonly Attachment[]): string =>
  JSON.stringify(attachments.map((attachment) => Object.entries(attachment).sort()));

export const isSameFiles = (some: readonly Attachment[], others: readonly Attachment[]): boolean =>
  some.length === others.length && (some.length === 0 || canonical(some) === canonical(others));

/** The draft with other attachments for its new message. */
export const withAttachments = (draft: Draft, attachments: readonly Attachment[]): Draft => {
  const { attachments: stored = [], ...typed } = typedIn(draft);
  if (isSameFiles(stored, attachments)) return draft;
  const next = attachments.length > 0 ? { ...typed, attachments } : typed;
  return draft.editing ? { ...draft, before: next } : next;
};

/** The content of a draft in one line. */
export const draftWords = (
  { text: typed, attachments = [] }: Draft,
  text: TextOf<typeof draftTexts>,
): string =>
  typed.trim() === '' && attachments.length > 0 ? text('draftFiles', { count: attachments.length }) : typed;

export const withText = (draft: Draft, text: string): Draft => ({ ...draft, text });

/** A quote belongs to a new message, so it ends an edit. */
export const withQuote = (draft: Draft, quote: VisibleMessage): Draft => ({
  ...(draft.editing ? restored(draft) : draft),
  quote,
});

export const withoutQuote = ({ quote: _, ...draft }: Draft): Draft => draft;

export const beginEdit = (draft: Draft, editing: VisibleMessage): Draft => {
  const { editing: _, before: __, ...typed } = draft.editing ? restored(draft) : draft;
  return { text: editing.text, editing, before: typed };
};

export const endEdit = (draft: Draft): Draft => (draft.editing ? restored(draft) : draft);

/** Restores a refused edit, unless something else is being written by now. */
export const backToEdit = (draft: Draft, lost: Draft): Draft =>
  draft.editing === undefined && draft.text === (lost.before?.text ?? '') ? lost : draft;

/** The fields of a message for its quote and its thread. */
export const answerFields = ({ quote, isAlsoInChannel }: Draft, parentId: string | undefined) => ({
  ...(quote && { quoted_message_id: quote.id }),
  ...(parentId && { parent_id: parentId, show_in_channel: isAlsoInChannel === true }),
});
