/** Texts that mention somebody or begin with a command; loaded with the first of them. */
import type { MessageInput, ParleyClient } from '@parley/client';
import type { useTextsOf } from '../../i18n/text-context.tsx';
import { outgoingOf } from '../commands/outgoing.ts';
import { commandTexts } from '../commands/texts.ts';
import { type Draft, emptyDraft, withAttachments } from '../drafts/draft-box.ts';

type Context = {
  client: ParleyClient;
  cid: string;
  parentId: string | undefined;
  textsOf: ReturnType<typeof useTextsOf>;
  get: () => Draft;
  change: (next: (draft: Draft) => Draft) => void;
  open: (part: { what: string; args: string }) => void;
};

/** The fields of a message with this text that name its mentions. */
export const mentionsIn = (client: ParleyClient, cid: string, text: string) =>
  outgoingOf(client).mentions.inputOf(cid, text);

/** Sends a text with its mentions, or runs its command. */
export const sendPlanned = async (
  { client, cid, parentId, textsOf, get, change, open }: Context,
  draft: Draft,
  deliver: (input: MessageInput) => void,
): Promise<void> => {
  const { commands, notes } = outgoingOf(client);
  const plan = await commands.plan(cid, draft.text, { quotedId: draft.quote?.id, parentId });
  /** Shows the outcome of a command to its author, among the messages. */
  const answer = (key: keyof typeof commandTexts.english, name: string) =>
    notes.add(cid, textsOf(commandTexts)(key, { name }), { parentId, id: `note ${key}` });
  // A second Enter meanwhile, or more typing: the first is being handled.
  if (get() !== draft) return;
  if (plan.kind === 'send') return deliver(plan.input);
  if (plan.kind === 'open') return open(plan);
  if (plan.kind === 'refused') return void answer(plan.reason, plan.name);
  await plan.run();
  if (get() === draft) change(({ attachments = [] }) => withAttachments(emptyDraft, attachments));
  if (plan.reply) answer(plan.reply.text, plan.reply.name);
};
