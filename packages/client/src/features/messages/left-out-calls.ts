/** The calls of `left-out.ts`, loaded when one is first made. */
import type { Message } from '@parley/protocol';
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

export const createLeftOutCalls = (core: Core, tools: LateTools) => ({
  /** Of a message with more reactions than are shown. */
  askOwnReactions: async ({ cid = '', message }: { cid?: string; message: Message }): Promise<void> => {
    const { id, reaction_counts, latest_reactions } = message;
    const count = Object.values(reaction_counts).reduce((sum, one) => sum + one, 0);
    const state = core.store.confirmed(cid);
    if (count <= latest_reactions.length || !state || !tools.findLoaded(state, id)) return;
    const read = async () => [(await core.http.call('GET /messages/{id}', { path: { id } })).message];
    await tools.loadPage(core, cid, read, ([found]) => {
      const own_reactions = found?.own_reactions ?? [];
      core.store.update(cid, (now) => tools.mapLoaded(now, id, (known) => ({ ...known, own_reactions })));
    });
  },
  /** Once one of those shown is gone. */
  askPins: async (cid: string): Promise<void> => {
    if (core.store.confirmed(cid)?.pinned.length !== tools.pinnedShown - 1) return;
    const body = { state: true, watch: false, members: { limit: 0 }, messages: { limit: 1 } };
    const read = async () =>
      (await core.http.call('POST /channels/{type}/{id}/query', { cid, body })).pinned_messages;
    await tools.loadPage(core, cid, read, (pinned) => core.store.update(cid, (now) => ({ ...now, pinned })));
  },
});
