/** The calls of `left-out.ts`, loaded when one is first made. */
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

export const createLeftOutCalls = (core: Core, { internReply, mapLoaded }: LateTools) => ({
  askOwnReactions: async (cid: string, id: string): Promise<void> => {
    const { message } = await core.http.call('GET /messages/{id}', { path: { id } });
    const { own_reactions = [] } = message;
    core.store.update(cid, (now) => mapLoaded(now, id, (known) => ({ ...known, own_reactions })));
  },
  askPins: async (cid: string): Promise<void> => {
    const body = { state: true, watch: false, members: { limit: 0 }, messages: { limit: 1 } };
    const reply = await core.http.call('POST /channels/{type}/{id}/query', { cid, body });
    const pinned = internReply(reply.pinned_messages, cid, core.users);
    core.store.update(cid, (now) => ({ ...now, pinned }));
  },
});
