import type { Attachment, Draft, Message } from '@parley/protocol';

/** The content of a composer. */
export type DraftContent = {
  text: string;
  quote?: Message;
  /** Attachments, mentions and custom data, kept as they are. */
  rest?: { attachments?: Attachment[]; mentioned_users?: string[] } & Record<string, unknown>;
};

export const emptyContent: DraftContent = { text: '' };

const filesIn = ({ rest }: DraftContent): readonly Attachment[] => rest?.attachments ?? [];

/** Two attachments are the same file by what they point to. */
const nameOf = ({ asset_url, image_url, og_scrape_url, ...rest }: Attachment): string =>
  asset_url ?? image_url ?? og_scrape_url ?? JSON.stringify(rest);

export const fileNames = (content: DraftContent): readonly string[] => filesIn(content).map(nameOf);

/** The server gives the fields back in another order. */
const canonical = (content: DraftContent): string =>
  JSON.stringify(filesIn(content).map((attachment) => Object.entries(attachment).sort()));

export const isSameFiles = (some: DraftContent, others: DraftContent): boolean =>
  canonical(some) === canonical(others);

/** Keeps files that either side added, and drops those that one side took away. `base` names the files of the version before. */
export const mergeFiles = (
  base: readonly string[],
  local: DraftContent,
  remote: DraftContent,
): Attachment[] => {
  const [here, there] = [new Set(fileNames(local)), new Set(fileNames(remote))];
  const stays = (name: string, others: ReadonlySet<string>) => others.has(name) || !base.includes(name);
  return [
    ...filesIn(local).filter((one) => stays(nameOf(one), there)),
    ...filesIn(remote).filter((one) => !here.has(nameOf(one)) && stays(nameOf(one), here)),
  ];
};

export const isEmpty = ({ text, quote, rest }: DraftContent): boolean =>
  text.trim() === '' && quote === undefined && (rest?.attachments?.length ?? 0) === 0;

export const contentOf = ({ message, quoted_message }: Draft): DraftContent => {
  const { text, quoted_message_id: _, ...rest } = message;
  return { text, ...(quoted_message && { quote: quoted_message }), rest };
};
