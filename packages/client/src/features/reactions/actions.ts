import type { Message, Reaction } from '@parley/protocol';
import { checkRef } from '../../cid.ts';
import type { Core } from '../../core.ts';
import type { Outbox } from '../../sync/outbox.ts';
import type { PendingOp } from '../../sync/overlay.ts';
import type { MessageRef } from '../../sync/state.ts';
import { during } from '../../sync/store.ts';
import { changeOp } from '../messages/pending.ts';
import { withoutReaction, withReaction } from './pending.ts';

export type ReactionOptions = { score?: number; unique?: boolean };

type Reply = { reaction: Reaction; message: Message; seq?: number };

const createRun = (core: Core, outbox: Outbox) => {
  type Kind = 'reaction.new' | 'reaction.deleted';
  /** Shows the operation until the server has said what came of it. */
  return async (ref: MessageRef, op: PendingOp, type: Kind, call: () => Promise<Reply>): Promise<Message> => {
    return during(core.store, ref.cid, op, async () => {
      await outbox.settled(ref.cid, ref.id);
      const { reaction, message, seq } = await call();
      core.confirm({ type, cid: ref.cid, reaction, message }, seq);
      return message;
    });
  };
};

const ownReaction = (core: Core, ref: MessageRef, type: string, score: number): Reaction => {
  const at = new Date(core.environment.clock.now()).toISOString();
  const user = core.ownUser();
  return {
    message_id: ref.id,
    user_id: core.ownId(),
    ...(user && { user }),
    type,
    score,
    created_at: at,
    updated_at: at,
  };
};

export const createReactions = (core: Core, outbox: Outbox) => {
  const { http, environment } = core;
  const run = createRun(core, outbox);
  return {
    /** Adds a reaction; `unique` replaces the other reactions of the own user. */
    add: async (ref: MessageRef, type: string, options: ReactionOptions = {}): Promise<Message> => {
      checkRef(ref);
      const { score = 1, unique = false } = options;
      const reaction = ownReaction(core, ref, type, score);
      const key = `react ${ref.id} ${environment.uuid()}`;
      const op = changeOp(key, ref, (message) => withReaction(message, reaction, unique));
      const body = { reaction: { type, score }, enforce_unique: unique };
      return run(ref, op, 'reaction.new', () =>
        http.call('POST /messages/{id}/reaction', { path: { id: ref.id }, body }),
      );
    },
    /** Deletes a reaction of the own user. */
    delete: async (ref: MessageRef, type: string): Promise<Message> => {
      core.ownId();
      checkRef(ref);
      const key = `unreact ${ref.id} ${environment.uuid()}`;
      const op = changeOp(key, ref, (message) => withoutReaction(message, type));
      return run(ref, op, 'reaction.deleted', () =>
        http.call('DELETE /messages/{id}/reaction/{type}', { path: { id: ref.id, type } }),
      );
    },
  };
};
