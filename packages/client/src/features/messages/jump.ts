/** Jumps in the messages of a channel, loaded when one is first made. */
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';
import type { ConfirmedChannel, VisibleMessage } from '../../sync/state.ts';

const isNewest = (page: readonly VisibleMessage[], { channel }: ConfirmedChannel): boolean =>
  (page.at(-1)?.created_at ?? '') >= (channel.last_message_at ?? '');

/** Of two jumps only the later one shows, whichever reply comes first. */
const createTurns = () => {
  const turns = new Map<string, number>();
  return (cid: string): (() => boolean) => {
    const mine = (turns.get(cid) ?? 0) + 1;
    turns.set(cid, mine);
    return () => turns.get(cid) === mine;
  };
};

type Edges = { hasOlder: boolean; hasNewer: boolean };

export const createJump = (core: Core, tools: LateTools) => {
  const { store, settings } = core;
  const startJump = createTurns();
  const replaceWindow = (cid: string, page: readonly VisibleMessage[], { hasOlder, hasNewer }: Edges) =>
    store.update(cid, (state) => ({
      ...state,
      hasOlder,
      ...tools.endOf(state, hasNewer || tools.isBehind(page, state)),
      messages: page,
      unsequenced: 0,
    }));
  return {
    /** Shows the window around a message or a time, or the newest one. What is loaded already is not loaded again. */
    jumpTo: async (
      cid: string,
      target: string | { at: string },
      { limit = settings.pageSize }: { limit?: number } = {},
    ): Promise<void> => {
      core.ownId();
      const state = store.confirmed(cid);
      if (!state) return;
      const isCurrent = startJump(cid);
      if (target === 'latest') {
        if (!state.hasNewer) return;
        await tools.loadWindow(core, cid, { limit }, (page) => {
          if (isCurrent()) replaceWindow(cid, page, { hasOlder: page.length >= limit, hasNewer: false });
        });
        // Messages that came while the page was on its way belong to the end, too.
        return tools.loadBeyond(core, cid, false);
      }
      const isTime = typeof target === 'object';
      if (!isTime && tools.findMessage(state.messages, target)) return;
      const place = isTime ? { created_at_around: target.at } : { id_around: target };
      await tools.loadWindow(core, cid, { limit, ...place }, (page) => {
        if (!isCurrent()) return;
        replaceWindow(cid, page, {
          hasOlder: page[0]?.id !== target,
          hasNewer: !isNewest(page, store.confirmed(cid) ?? state),
        });
      });
    },
  };
};
