import type { User } from '@parley/protocol';
import type { ChannelFacts } from '../../sync/state.ts';

/** The users who type in the channel, or in one of its threads. */
export const selectTypers = (state: ChannelFacts, parentId?: string): readonly User[] =>
  parentId === undefined
    ? state.typing
    : state.threadTyping.filter((typer) => typer.parentId === parentId).map(({ user }) => user);
