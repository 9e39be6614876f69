import { invalid } from '@parley/protocol';
import { requireCapability } from '../../access/place.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { BeforeSendHook, SendHook } from '../messages/hooks.ts';
import { checkPollLinks } from './links.ts';
import { listPolls, lockPoll, updatePoll } from './store.ts';

const foreign = () => invalid('message.poll_id', 'names no poll of yours');
const sent = () => invalid('message.poll_id', 'names a poll that another message carries');

/** Whether the author may send this poll here; asked before anything is stored. */
export const createPollCheck =
  ({ db }: Kernel): BeforeSendHook =>
  async (_actor, place, { id, pollId, author }) => {
    if (pollId === undefined) return;
    requireCapability(place, 'create-poll');
    const [poll] = await listPolls(db, [pollId]);
    if (poll?.created_by !== author.row.id) throw foreign();
    if (poll.message_id !== null && poll.message_id !== id) throw sent();
    checkPollLinks(place, undefined, poll);
  };

/** The poll belongs to the message from now on. */
export const attachPoll: SendHook = async (tx, { id, cid, user_id, poll_id }) => {
  if (poll_id === null) return;
  const poll = await lockPoll(tx.db, poll_id);
  if (poll?.created_by !== user_id) throw foreign();
  if (poll.message_id !== null) throw sent();
  await updatePoll(tx.db, poll_id, { cid, message_id: id });
};
