import { invalid, type MessageVersion, ParleyError } from '@parley/protocol';
import { requireCapability } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { fieldOf, isRecord } from '../../lib/objects.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { UserCache } from '../users/cache.ts';
import { historyFields, insertVersion, selectVersions } from './history-store.ts';
import type { Messages } from './service.ts';

/** Keeps the content of a message before an edit replaces it. */
export const keepVersion = (tx: Tx, row: MessageRow, editorId: string | undefined): Promise<void> =>
  insertVersion(tx.db, {
    message_id: row.id,
    text: row.text,
    attachments: JSON.stringify(row.attachments),
    data: JSON.stringify(row.data),
    updated_by: editorId ?? null,
    updated_at: tx.now,
  });

const messageIdOf = (filter: unknown): string => {
  const given = fieldOf(filter, 'message_id');
  const id = isRecord(given) ? given.$eq : given;
  if (typeof id !== 'string') throw invalid('filter.message_id', 'must name one message');
  return id;
};

type Deps = { kernel: Kernel; messages: Messages; users: UserCache };

/** The versions of messages before their edits: for their authors, and for whoever has the right to read them. */
export class MessageHistory {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async query(
    actor: Actor,
    request: PageRequest,
  ): Promise<{ message_history: MessageVersion[]; next?: string }> {
    const { kernel, messages, users } = this.#deps;
    const id = messageIdOf(request.filter);
    const { row, place } = await messages.see(actor, id);
    if (row.user_id !== actorId(actor)) requireCapability(place, 'read-message-history');
    // A deleted message leaves nothing of what was said, so nothing of what was said before either.
    if (row.deleted_at !== null) throw new ParleyError('NotFound', `No message ${id}`);
    const page = await queryPage(selectVersions(kernel.pools.queries, id), request, {
      fields: historyFields,
      context: { actorId: actorId(actor) ?? null },
      cursorKey: kernel.config.apiSecret,
      scope: id,
    });
    const found = await users.getMany(
      kernel.db,
      page.rows.flatMap((version) => version.updated_by ?? []),
    );
    return {
      message_history: page.rows.map((version) => {
        const editor = version.updated_by === null ? undefined : found.get(version.updated_by)?.user;
        return {
          ...version.data,
          message_id: version.message_id,
          text: version.text,
          attachments: version.attachments,
          message_updated_at: version.updated_at,
          ...(version.updated_by === null ? {} : { message_updated_by_id: version.updated_by }),
          ...(editor ? { message_updated_by: editor } : {}),
        };
      }),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }
}
