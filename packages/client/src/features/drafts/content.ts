import type { Attachment, Draft, Message } from '@parley/protocol';

/** What stands in a composer. */
export type DraftContent = {
  text: string;
  quote?: Message;
  /** Attachments, mentions and custom data, kept as they are. */
  rest?: { attachments?: Attachment[]; mentioned_users?: string[] } & Record<string, unknown>;
};

export const emptyContent: DraftContent = { text: '' };

export const isEmpty = ({ text, quote, rest }: DraftContent): boolean =>
  text.trim() === '' && quote === undefined && (rest?.attachments?.length ?? 0) === 0;

export const contentOf = ({ message, quoted_message }: Draft): DraftContent => {
  const { text, quoted_message_id: _, ...rest } = message;
  return { text, ...(quoted_message && { quote: quoted_message as Message }), rest };
};
