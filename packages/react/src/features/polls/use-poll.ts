import type { ParleyClient, VisibleMessage } from '@parley/client';
import { createPolls, type Poll, type Polls } from '@parley/client/polls';
import { useClient } from '../../chat/chat-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';

const made = new WeakMap<ParleyClient, Polls>();

/** One memory of polls for all components of a client. */
const pollsOf = (client: ParleyClient): Polls => {
  const known = made.get(client) ?? createPolls(client);
  made.set(client, known);
  return known;
};

export const usePolls = (): Polls => pollsOf(useClient());

/** The poll of a message as its reader sees it, own votes on their way included. */
export function usePoll(message: Pick<VisibleMessage, 'poll' | 'poll_id'>): Poll | undefined {
  const polls = usePolls();
  useReadable(polls.changes);
  return polls.view(message);
}
