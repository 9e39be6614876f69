import {
  isDeleted,
  isOwn,
  type MessageInput,
  type ParleyClient,
  ParleyError,
  type VisibleMessage,
} from '@parley/client';
import { useMemo, useState } from 'react';
import { useClient, useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useNotify, useRefusal } from '../../chat/use-refusal.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTextsOf } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import {
  answerFields,
  backToEdit,
  beginEdit,
  type Draft,
  draftBox,
  draftKey,
  emptyDraft,
  endEdit,
  withoutQuote,
  withQuote,
  withText,
} from '../drafts/draft-box.ts';
import { type Carried, type ComposerExtra, carriedBy, composerExtras, editKey } from './composer-extras.ts';
import { isBlank } from './is-blank.ts';

export type ComposerActs = {
  /** Replaces the text, and shows the others that somebody is typing. */
  setText: (text: string) => void;
  /** Holds back changes from other devices until the function that it returns is called. */
  pause: () => () => void;
  /** Quotes a message in the next one. */
  quote: (message: VisibleMessage) => void;
  /** Removes the quote. */
  cancelQuote: () => void;
  /** Begins to edit a message; the text that was being written comes back afterwards. */
  edit: (message: VisibleMessage) => void;
  /** Begins to edit the own newest message that is loaded. */
  editLast: () => void;
  /** Ends the edit without saving it. */
  cancelEdit: () => void;
  /** Sets whether a reply is shown in the channel as well. */
  alsoToChannel: (isAlsoInChannel: boolean) => void;
  /** Opens the dialog of the part that answers a command; undefined closes it. */
  open: (part: OpenedPart | undefined) => void;
  /** Removes the quote after a part sent something else than text with it, and the text where it is the command of the part. */
  partSent: (command?: RegExp) => void;
  /** Adds an extra to the message, or to the edit of a message; returns the function that removes it. */
  carry: (extra: ComposerExtra, editing?: string) => () => void;
  /** Returns false when there was nothing to send, or it cannot be sent yet. */
  send: () => boolean;
};

/** The command of a part, and the text after it. */
export type OpenedPart = { what: string; args: string };

export type ComposerControls = {
  draft: Draft;
  /** The command whose part has its dialog open, and the text after it. */
  opened: OpenedPart | undefined;
  /** The attachments and other extras that go with the message besides its text. */
  carried: Carried;
  acts: ComposerActs;
};

/** The draft of a channel or one of its threads, and the actions on it. Refused sends stay in the list, refused edits come back. */
export function useComposer(cid: string, parentId?: string): ComposerControls {
  const client = useClient();
  const drafts = useFeature(draftBox);
  const extras = useFeature(composerExtras);
  const key = draftKey(cid, parentId);
  const box = useMemo(() => drafts.of(key), [drafts, key]);
  const onError = useRefusal();
  const notify = useNotify();
  const textsOf = useTextsOf();
  const notices = useNotices();
  const [opened, open] = useState<OpenedPart>();
  const acts = useMemo(
    () =>
      createActs({
        ...{ client, cid, parentId, onError, open, get: box.get },
        refuse: (title) => void notices.show({ title, tone: 'danger' }),
        extras: (editing) => extras.of(subjectKey(key, editing)).get(),
        carry: (extra, editing) => extras.carry(subjectKey(key, editing), extra),
        textsOf,
        couldNotLoad: () => notify(textsOf(commonTexts)('couldNotLoad')),
        change: (next) => drafts.change(key, next),
        reset: (stored) => drafts.reset(key, stored),
        pause: () => drafts.pause(key),
      }),
    [client, drafts, extras, box, key, cid, parentId, onError, notify, notices, textsOf],
  );
  const draft = useReadable(box);
  const subject = subjectKey(key, draft.editing?.id);
  const taken = useReadable(useMemo(() => extras.of(subject), [extras, subject]));
  return { draft, opened, carried: carriedBy(taken, attachmentsIn(draft)), acts };
}

const subjectKey = (key: string, editing: string | undefined): string =>
  editing === undefined ? key : editKey(key, editing);

const attachmentsIn = ({ editing, attachments }: Draft) =>
  (editing ? editing.attachments : attachments) ?? [];

type ActsContext = {
  client: ParleyClient;
  cid: string;
  parentId: string | undefined;
  onError: (error: unknown) => void;
  couldNotLoad: () => void;
  textsOf: ReturnType<typeof useTextsOf>;
  open: ComposerActs['open'];
  refuse: (reason: string) => void;
  extras: (editing: string | undefined) => readonly ComposerExtra[];
  carry: ComposerActs['carry'];
  get: () => Draft;
  change: (next: (draft: Draft) => Draft) => void;
  reset: (stored: Promise<unknown>) => void;
  pause: () => () => void;
};

const createActs = (context: ActsContext): ComposerActs => {
  const { client, cid, parentId, get, change, open, pause } = context;
  const dropEdit = (next?: string) => {
    const { editing } = get();
    if (editing && editing.id !== next) for (const { stop } of context.extras(editing.id)) stop?.();
  };
  const edit = (message: VisibleMessage) => {
    dropEdit(message.id);
    change((draft) => beginEdit(draft, message));
  };
  return {
    edit,
    carry: context.carry,
    pause,
    setText: (text) => {
      change((draft) => withText(draft, text));
      if (!get().editing && text !== '' && client.me.get()) client.typing.keystroke(cid, parentId);
    },
    quote: (message) => {
      dropEdit();
      change((draft) => withQuote(draft, message));
    },
    cancelQuote: () => change(withoutQuote),
    cancelEdit: () => {
      dropEdit();
      change(endEdit);
    },
    alsoToChannel: (isAlsoInChannel) => change((draft) => ({ ...draft, isAlsoInChannel })),
    editLast: () => {
      const last = lastOwn(client.channels.state(cid).get(), parentId);
      if (last) edit(last);
    },
    open,
    partSent: (command) =>
      change((draft) => withoutQuote(command?.test(draft.text) ? withText(draft, '') : draft)),
    send: () => {
      const draft = get();
      const { refusal, isEnough, detach } = carriedNow(context, draft);
      if (client.me.get() === undefined) return false;
      // A new message waits for its files in the list; an edit waits here.
      const isRefused = refusal !== undefined && (draft.editing !== undefined || !detach);
      if (isRefused) context.refuse(refusal);
      if (isRefused || (isBlank(draft.text) && !isEnough)) return false;
      if (draft.editing) void save(context, draft, draft.editing);
      else void sendNew(context, draft);
      return true;
    },
  };
};

const carriedNow = ({ extras }: ActsContext, draft: Draft): Carried =>
  carriedBy(extras(draft.editing?.id), attachmentsIn(draft));

const save = async (context: ActsContext, lost: Draft, message: VisibleMessage) => {
  const { client, cid, change, onError } = context;
  const { attachments, reset } = carriedNow(context, lost);
  change(endEdit);
  try {
    const called = lost.text.includes('@')
      ? (await import('./send-planned.ts')).mentionsIn(client, cid, lost.text)
      : {};
    const words = { text: lost.text.trim(), ...called };
    // The files of a message that waits for them are changed in its row.
    await (message.attachments.some((one) => 'upload_id' in one)
      ? client.messages.patch(message, words)
      : client.messages.edit(message, { ...words, attachments: [...attachments] }));
    reset();
  } catch (error) {
    change((draft) => backToEdit(draft, lost));
    onError(error);
  }
};

/** Sends a new message, or runs its command. One that is refused before it is sent stays in the composer, with the reason. */
const sendNew = async (context: ActsContext, draft: Draft) => {
  const { onError } = context;
  const { text } = draft;
  if (!/^\/|@/.test(text)) return deliver(context, draft, { text: text.trim() });
  try {
    const { sendPlanned } = await import('./send-planned.ts');
    await sendPlanned(context, draft, (input) => deliver(context, draft, input));
  } catch (error) {
    if (error instanceof ParleyError) onError(error);
    else context.couldNotLoad();
  }
};

const deliver = (context: ActsContext, draft: Draft, planned: MessageInput) => {
  const { client, cid, parentId, change, reset } = context;
  const carried = carriedNow(context, draft);
  client.typing.stop(cid, parentId);
  const held = carried.detach?.(planned.text ?? '');
  const attachments = held?.attachments ?? [...carried.attachments];
  const input = {
    ...planned,
    ...(held && { id: held.id }),
    ...(attachments.length > 0 && { attachments }),
    ...answerFields(draft, parentId),
  };
  const stored = client.messages.send(cid, input, held);
  // A refused message stays in the list, where its row shows the reason.
  stored.catch(() => {});
  reset(stored);
  change(() => emptyDraft);
  carried.reset();
};

type Lists = {
  ownId: string;
  messages: readonly VisibleMessage[];
  threads: Readonly<Record<string, { messages: readonly VisibleMessage[] }>>;
};

const lastOwn = (state: Lists | undefined, parentId: string | undefined): VisibleMessage | undefined => {
  const list = parentId === undefined ? state?.messages : state?.threads[parentId]?.messages;
  return list?.findLast(
    (message) =>
      isOwn(message, state && { id: state.ownId }) && !isDeleted(message) && message.status !== 'private',
  );
};
