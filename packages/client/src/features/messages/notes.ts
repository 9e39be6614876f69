import type { Feature } from '../../client.ts';
import { draftOf } from './pending.ts';
import { showPrivate } from './private-messages.ts';

type NoteOptions = { parentId?: string | undefined; id?: string };
export type Notes = {
  /** Shows a note in a channel or thread, to the own user alone. */
  add(cid: string, text: string, options?: NoteOptions): void;
};

/** Messages of this device to the own user alone; `client.messages.dismiss` removes one. */
export const notes: Feature<Notes> = {
  name: 'notes',
  create: (core) => ({
    /** Shows a note at the end of a channel or thread; the same id again replaces the first. */
    add: (cid, text, { parentId, id = core.environment.uuid() } = {}) => {
      const state = core.store.confirmed(cid);
      if (!state) return;
      const now = new Date(core.environment.clock.now()).toISOString();
      // The clock of the server may be ahead: the note must stay below the last message.
      const last = state.messages.at(-1)?.created_at ?? '';
      const input = { text, silent: true, ...(parentId ? { parent_id: parentId } : {}) };
      const entry = { cid, id, input, createdAt: last > now ? last : now, status: 'sending' as const };
      showPrivate(core, { ...draftOf(entry, state, core.ownUser()), type: 'ephemeral', number: 0 });
    },
  }),
};
