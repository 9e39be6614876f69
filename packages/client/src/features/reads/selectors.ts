import type { Message, User } from '@parley/protocol';
import type { ChannelState } from '../../sync/state.ts';

type Reading = Pick<ChannelState, 'read' | 'ownId'>;

const others = ({ read, ownId }: Reading, message: Message) =>
  Object.values(read).filter(({ user }) => user.id !== ownId && user.id !== message.user?.id);

/** The users, except the author and the own user, who have read up to the message. */
export const seenBy = (state: Reading, message: Message): User[] =>
  others(state, message)
    .filter(({ last_read_number, last_read = '' }) =>
      message.silent ? last_read >= message.created_at : last_read_number >= message.number,
    )
    .map(({ user }) => user);

/** The members whom the message has reached. */
export const deliveredTo = (state: Reading, message: Message): User[] =>
  others(state, message)
    .filter(
      ({ last_delivered_at = '', last_read_number }) =>
        last_delivered_at >= message.created_at || last_read_number >= message.number,
    )
    .map(({ user }) => user);

/** How many have read a message and how many it has reached, without its author; where marks are counts. */
export const countMarks = (
  { readCounts, channel }: Pick<ChannelState, 'readCounts' | 'channel'>,
  message: Message,
): { read: number; delivered: number; of: number } | undefined => {
  if (!readCounts || !channel.fidelity) return undefined;
  const reached = (steps: readonly { number: number; count: number }[]) =>
    Math.max(
      0,
      steps.reduce((sum, { number, count }) => sum + (number >= message.number ? count : 0), 0) - 1,
    );
  const { read, delivered, member_count } = readCounts;
  return { read: reached(read), delivered: reached(delivered), of: member_count - 1 };
};
