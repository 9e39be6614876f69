import { isDeleted, isOwn, type ParleyClient, type VisibleMessage } from '@parley/client';
import { useMemo } from 'react';
import { useChat } from '../../chat/chat-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import {
  backToEdit,
  beginEdit,
  type Draft,
  draftKey,
  emptyDraft,
  endEdit,
  withoutQuote,
  withQuote,
  withText,
} from '../drafts/draft-box.ts';

export type ComposerActs = {
  setText: (text: string) => void;
  quote: (message: VisibleMessage) => void;
  cancelQuote: () => void;
  edit: (message: VisibleMessage) => void;
  editLast: () => void;
  cancelEdit: () => void;
  /** False when there was nothing to send. */
  send: () => boolean;
};

export type ComposerControls = { draft: Draft; acts: ComposerActs };

/** What is written in a channel or one of its threads. Refused sends stay in the list, refused edits come back. */
export function useComposer(cid: string, parentId?: string): ComposerControls {
  const { client, drafts } = useChat();
  const key = draftKey(cid, parentId);
  const box = useMemo(() => drafts.of(key), [drafts, key]);
  const tell = useRefusal();
  const acts = useMemo(
    () =>
      createActs({ client, cid, parentId, tell, get: box.get, change: (next) => drafts.change(key, next) }),
    [client, drafts, box, key, cid, parentId, tell],
  );
  return { draft: useReadable(box), acts };
}

type Desk = {
  client: ParleyClient;
  cid: string;
  parentId: string | undefined;
  tell: (error: unknown) => void;
  get: () => Draft;
  change: (next: (draft: Draft) => Draft) => void;
};

const createActs = (desk: Desk): ComposerActs => {
  const { client, cid, parentId, get, change } = desk;
  const edit = (message: VisibleMessage) => change((draft) => beginEdit(draft, message));
  return {
    edit,
    setText: (text) => {
      change((draft) => withText(draft, text));
      if (!get().editing && text !== '' && client.me.get()) client.typing.keystroke(cid, parentId);
    },
    quote: (message) => change((draft) => withQuote(draft, message)),
    cancelQuote: () => change(withoutQuote),
    cancelEdit: () => change(endEdit),
    editLast: () => {
      const last = lastOwn(client.channels.state(cid).get(), parentId);
      if (last) edit(last);
    },
    send: () => {
      const draft = get();
      if (draft.text.trim() === '' || client.me.get() === undefined) return false;
      if (draft.editing) save(desk, draft, draft.editing);
      else say(desk, draft);
      return true;
    },
  };
};

const save = ({ client, change, tell }: Desk, lost: Draft, message: VisibleMessage) => {
  change(endEdit);
  const { attachments } = message;
  client.messages.edit(message, { text: lost.text.trim(), attachments }).catch((error) => {
    change((draft) => backToEdit(draft, lost));
    tell(error);
  });
};

const say = ({ client, cid, parentId, change, tell }: Desk, { text, quote }: Draft) => {
  change(() => emptyDraft);
  client.typing.stop(cid, parentId);
  const input = {
    text: text.trim(),
    ...(quote && { quoted_message_id: quote.id }),
    ...(parentId && { parent_id: parentId }),
  };
  client.messages.send(cid, input).catch(tell);
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
