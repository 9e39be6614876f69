import { useClient, useFeature } from '../../chat/client-provider.tsx';
import { begunChannels } from './begun-channels.ts';

/** Opens the conversation of exactly these people and the own user; lists show it before the server lists it. */
export function useDirect(): (userIds: readonly string[]) => Promise<string> {
  const { channels } = useClient();
  const begun = useFeature(begunChannels);
  return async (userIds) => {
    const cid = await channels.direct(userIds);
    begun.set([cid, ...begun.get().filter((known) => known !== cid)]);
    return cid;
  };
}
