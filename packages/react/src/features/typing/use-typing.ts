import { selectTypers, selectUserName } from '@parley/client';
import { useChannel } from '../../chat/use-channel.ts';

const nobody: readonly string[] = [];

/** The names of the others who type in a channel, or in one of its threads. */
export function useTyping(cid: string, parentId?: string): readonly string[] {
  return useChannel(cid, (state) =>
    state
      ? selectTypers(state, parentId)
          .filter(({ id }) => id !== state.ownId)
          .map(selectUserName)
      : nobody,
  );
}
