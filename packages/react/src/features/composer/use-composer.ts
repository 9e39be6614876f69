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
  withAttachments,
  withoutQuote,
  withQuote,
  withText,
} from '../drafts/draft-box.ts';
import { type Carried, type ComposerExtra, carriedBy, composerExtras, editKey } from './composer-extras.ts';
import { isBlank } from './is-blank.ts';

export type ComposerActs = {
  setText: (text: string) => void;
  /** Nothing comes in from other devices until what this returns is called. */
  pause: () => () => void;
  quote: (message: VisibleMessage) => void;
  cancelQuote: () => void;
  edit: (message: VisibleMessage) => void;
  editLast: () => void;
  cancelEdit: () => void;
  /** Of a reply: whether it goes to the channel as well. */
  alsoToChannel: (isAlsoInChannel: boolean) => void;
  /** Opens the dialog in which a poll is written; undefined closes it. */
  askPoll: (question: string | undefined) => void;
  /** The poll was sent: what called for it, and the quote that went along, are done with. */
  pollSent: () => void;
  /** Something else than words was sent along with the quote, which is done with. */
  quoteSent: () => void;
  /** Takes something along with the message, or with the edit of a message; returns its end. */
  carry: (extra: ComposerExtra, editing?: string) => () => void;
  /** False when there was nothing to send, or it cannot go yet. */
  send: () => boolean;
};

export type ComposerControls = {
  draft: Draft;
  /** The question of a poll that is being written. */
  poll: string | undefined;
  /** What goes with the message besides its text. */
  carried: Carried;
  acts: ComposerActs;
};

/** What is written in a channel or one of its threads. Refused sends stay in the list, refused edits come back. */
export function useComposer(cid: string, parentId?: string): ComposerControls {
  const client = useClient();
  const drafts = useFeature(draftBox);
  const extras = useFeature(composerExtras);
  const key = draftKey(cid, parentId);
  const box = useMemo(() => drafts.of(key), [drafts, key]);
  const tell = useRefusal();
  const notify = useNotify();
  const textsOf = useTextsOf();
  const notices = useNotices();
  const [poll, askPoll] = useState<string>();
  const acts = useMemo(
    () =>
      createActs({
        ...{ client, cid, parentId, tell, askPoll, get: box.get },
        refuse: (title) => void notices.show({ title, tone: 'danger' }),
        extras: (editing) => extras.of(subjectKey(key, editing)).get(),
        carry: (extra, editing) => extras.carry(subjectKey(key, editing), extra),
        textsOf,
        couldNotLoad: () => notify(textsOf(commonTexts)('couldNotLoad')),
        change: (next) => drafts.change(key, next),
        reset: (stored) => drafts.reset(key, stored),
        pause: () => drafts.pause(key),
      }),
    [client, drafts, extras, box, key, cid, parentId, tell, notify, notices, textsOf],
  );
  const draft = useReadable(box);
  const subject = subjectKey(key, draft.editing?.id);
  const taken = useReadable(useMemo(() => extras.of(subject), [extras, subject]));
  return { draft, poll, carried: carriedBy(taken, stoodIn(draft)), acts };
}

const subjectKey = (key: string, editing: string | undefined): string =>
  editing === undefined ? key : editKey(key, editing);

const stoodIn = ({ editing, attachments }: Draft) => (editing ? editing.attachments : attachments) ?? [];

type Desk = {
  client: ParleyClient;
  cid: string;
  parentId: string | undefined;
  tell: (error: unknown) => void;
  couldNotLoad: () => void;
  textsOf: ReturnType<typeof useTextsOf>;
  askPoll: (question: string | undefined) => void;
  refuse: (reason: string) => void;
  extras: (editing: string | undefined) => readonly ComposerExtra[];
  carry: ComposerActs['carry'];
  get: () => Draft;
  change: (next: (draft: Draft) => Draft) => void;
  reset: (stored: Promise<unknown>) => void;
  pause: () => () => void;
};

const createActs = (desk: Desk): ComposerActs => {
  const { client, cid, parentId, get, change, askPoll, pause } = desk;
  const dropEdit = (next?: string) => {
    const { editing } = get();
    if (editing && editing.id !== next) for (const { stop } of desk.extras(editing.id)) stop?.();
  };
  const edit = (message: VisibleMessage) => {
    dropEdit(message.id);
    change((draft) => beginEdit(draft, message));
  };
  return {
    edit,
    carry: desk.carry,
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
    askPoll,
    quoteSent: () => change(withoutQuote),
    pollSent: () => {
      askPoll(undefined);
      change((draft) => withoutQuote(/^\/poll(\s|$)/i.test(draft.text) ? withText(draft, '') : draft));
    },
    send: () => {
      const draft = get();
      const { refusal, isEnough } = carriedNow(desk, draft);
      if (client.me.get() === undefined) return false;
      if (refusal !== undefined) desk.refuse(refusal);
      if (refusal !== undefined || (isBlank(draft.text) && !isEnough)) return false;
      if (draft.editing) void save(desk, draft, draft.editing);
      else void say(desk, draft);
      return true;
    },
  };
};

const carriedNow = ({ extras }: Desk, draft: Draft): Carried =>
  carriedBy(extras(draft.editing?.id), stoodIn(draft));

/** Needed only for texts that call somebody or begin with a command. */
const loadOutgoing = async (client: ParleyClient) => {
  const [{ outgoingOf }, { commandTexts }] = await Promise.all([
    import('../commands/outgoing.ts'),
    import('../commands/texts.ts'),
  ]);
  return { ...outgoingOf(client), commandTexts };
};

const save = async (desk: Desk, lost: Draft, message: VisibleMessage) => {
  const { client, cid, change, tell } = desk;
  const { attachments, reset } = carriedNow(desk, lost);
  change(endEdit);
  try {
    const called = lost.text.includes('@')
      ? (await loadOutgoing(client)).mentions.inputOf(cid, lost.text)
      : {};
    await client.messages.edit(message, { text: lost.text.trim(), attachments: [...attachments], ...called });
    reset();
  } catch (error) {
    change((draft) => backToEdit(draft, lost));
    tell(error);
  }
};

/** What is refused before it is sent stays in the composer, with the reason. */
const say = async (desk: Desk, draft: Draft) => {
  const { client, cid, get, change, tell, parentId } = desk;
  const { text } = draft;
  if (!/^\/|@/.test(text)) return deliver(desk, draft, { text: text.trim() });
  try {
    const { commands, notes, commandTexts } = await loadOutgoing(client);
    const plan = await commands.plan(cid, text, { quotedId: draft.quote?.id, parentId });
    /** Shows its author what became of a command, among the messages. */
    const answer = (key: keyof typeof commandTexts.english, name: string) =>
      notes.add(cid, desk.textsOf(commandTexts)(key, { name }), { parentId, id: `note ${key}` });
    // A second Enter meanwhile, or more typing: the first has been heard.
    if (get() !== draft) return;
    if (plan.kind === 'send') return deliver(desk, draft, plan.input);
    if (plan.kind === 'open') return desk.askPoll(plan.args);
    if (plan.kind === 'refused') return answer(plan.reason, plan.name);
    await plan.run();
    if (get() === draft) change(({ attachments = [] }) => withAttachments(emptyDraft, attachments));
    if (plan.reply) answer(plan.reply.text, plan.reply.name);
  } catch (error) {
    if (error instanceof ParleyError) tell(error);
    else desk.couldNotLoad();
  }
};

const deliver = (desk: Desk, draft: Draft, said: MessageInput) => {
  const { client, cid, parentId, change, reset } = desk;
  const carried = carriedNow(desk, draft);
  client.typing.stop(cid, parentId);
  const input = {
    ...said,
    ...(carried.attachments.length > 0 && { attachments: [...carried.attachments] }),
    ...answerFields(draft, parentId),
  };
  const stored = client.messages.send(cid, input);
  // A refused one stays in the list, where its row says why.
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
      isOwn(message, state && { id: state.ownId }) && !isDeleted(message) && message.status === 'sent',
  );
};
