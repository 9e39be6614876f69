import type { Attachment, Feature, Readable } from '@parley/client';
import { type Box, createBox } from '../../chat/readables.ts';
import { type DraftBox, draftBox, typedIn, withAttachments } from '../drafts/draft-box.ts';

/** An addition to a message besides its text. It may outlive the composer on the screen. */
export type ComposerExtra = {
  /** The attachments that go with the message. */
  attachments: () => readonly Attachment[];
  /** The reason why it cannot be sent yet, as a text for people. */
  refusal: () => string | undefined;
  /** True when it is enough for a message without text. */
  isEnough: () => boolean;
  /** Empties it once the message is being sent. A refused message keeps its attachments in the list and is retried from there. */
  reset: () => void;
  /** Hands the part that is not ready over to a new message, which is sent with the others once it is. */
  detach?: ((message: Detaching) => Detached) | undefined;
  /** True for the attachments of a saved draft or an edited message that this extra keeps or leaves out; those of no extra stay. With it
   * its attachments are saved in the draft. */
  owns?: (attachment: Attachment) => boolean;
  /** Calls the listener when any of the answers above changed. */
  subscribe?: (listener: () => void) => () => void;
  /** Ends it, when its edit is cancelled. */
  stop?: () => void;
};

export type Detaching = { text: string; others: readonly Attachment[] };
/** The new message: its id, its attachments as they are shown meanwhile, and the function that waits for them. */
export type Detached = {
  id: string;
  attachments: Attachment[];
  /** Resolves with the attachments once all of them are ready. */
  rest: () => Promise<{ attachments: Attachment[] }>;
};

/** All extras of one message together. */
export type Carried = {
  attachments: readonly Attachment[];
  refusal: string | undefined;
  isEnough: boolean;
  /** Empties all of them once the message is being sent. */
  reset: () => void;
  /** Undefined where there is nothing to wait for, or no way to. */
  detach: ((text: string) => Detached) | undefined;
};

export type ComposerExtras = {
  of(key: string): Readable<readonly ComposerExtra[]>;
  /** Returns the function that removes it. */
  carry(key: string, extra: ComposerExtra): () => void;
};

/** The key of the extras of an edit, apart from those of the message that is being written. */
export const editKey = (key: string, messageId: string): string => `${key} ${messageId}`;
const isEdit = (key: string): boolean => key.split(' ').length > 2;

const unowned = (extras: readonly ComposerExtra[], existing: readonly Attachment[]): readonly Attachment[] =>
  existing.filter((attachment) => !extras.some(({ owns }) => owns?.(attachment)));

/** `existing` are the attachments of the saved draft or of the edited message. */
export const carriedBy = (extras: readonly ComposerExtra[], existing: readonly Attachment[]): Carried => {
  const others = unowned(extras, existing);
  const allOf = (some: readonly ComposerExtra[]) => [
    ...some.flatMap(({ attachments }) => attachments()),
    ...others,
  ];
  const slow = extras.find(({ refusal }) => refusal() !== undefined);
  const detach = slow?.detach;
  return {
    attachments: allOf(extras),
    refusal: slow?.refusal(),
    detach: detach && ((text) => detach({ text, others: allOf(extras.filter((one) => one !== slow)) })),
    // A link preview alone is not enough: its link may be gone from the text.
    isEnough: extras.some(({ isEnough }) => isEnough()) || others.some((one) => !one.og_scrape_url),
    reset: () => {
      for (const extra of extras) extra.reset();
    },
  };
};

/** Keeps the extras per channel and thread; their attachments are part of the draft. */
export const createComposerExtras = (drafts: Pick<DraftBox, 'change'>): ComposerExtras => {
  const held = new Map<string, Box<readonly ComposerExtra[]>>();
  const of = (key: string): Box<readonly ComposerExtra[]> => {
    const box = held.get(key) ?? createBox<readonly ComposerExtra[]>([]);
    held.set(key, box);
    return box;
  };
  const changed = (key: string) => {
    const extras = [...of(key).get()];
    of(key).set(extras);
    const saved = extras.filter(({ owns }) => owns);
    if (isEdit(key) || saved.length === 0) return;
    drafts.change(key, (draft) =>
      withAttachments(draft, carriedBy(saved, typedIn(draft).attachments ?? []).attachments),
    );
  };
  return {
    of,
    carry: (key, extra) => {
      const box = of(key);
      box.set([...box.get(), extra]);
      changed(key);
      const stop = extra.subscribe?.(() => changed(key));
      return () => {
        stop?.();
        box.set(box.get().filter((other) => other !== extra));
      };
    },
  };
};

/** The extras of all composers of a client. */
export const composerExtras: Feature<ComposerExtras> = {
  name: 'composer-extras',
  create: ({ client }) => createComposerExtras(client.feature(draftBox)),
};
