import { ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { isCleared, requireCapability } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findMessage } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';
import { countReceipts, findMark, listReceipts, listSince, type ReceiptRow } from './store.ts';

const mostShown = 100;

type Deps = { kernel: Kernel; access: Access; users: UserCache };

/** Reads receipts, and explains why a channel is unread. Changes nothing. */
export class Receipts {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The author is left out: they know what they wrote. */
  async of(actor: Actor, messageId: string) {
    const { kernel, access } = this.#deps;
    const message = await findMessage(kernel.db, messageId);
    const place = message && (await access.enter(actor, message.cid));
    if (!place || isCleared(place, message)) throw new ParleyError('NotFound', `No message ${messageId}`);
    requireCapability(place, 'read-channel-members');
    const [counts, read, delivered] = await Promise.all([
      countReceipts(kernel.db, message),
      listReceipts(kernel.db, message, { kind: 'read', most: mostShown }),
      listReceipts(kernel.db, message, { kind: 'delivered', most: mostShown }),
    ]);
    return { ...counts, read: await this.#named(read), delivered: await this.#named(delivered) };
  }

  async explainUnread(actor: Actor, cid: string) {
    const { kernel, access, users } = this.#deps;
    const userId = actingUser(actor).row.id;
    await access.enter(actor, cid);
    const mark = await findMark(kernel.db, cid, userId);
    if (!mark)
      throw new ParleyError('NotAllowed', `Only members have unread messages (read-events) in ${cid}`);
    const from = mark.unread_from ?? mark.read_number;
    const unread = Math.max(0, mark.last_number - from);
    const rows = unread === 0 ? [] : await listSince(kernel.db, cid, from, mostShown);
    const found = await users.getMany(
      kernel.db,
      rows.map((row) => row.user_id),
    );
    const counted = rows.filter((row) => !row.silent).length;
    return {
      unread_count: unread,
      last_number: mark.last_number,
      last_read_number: from,
      ...(mark.last_read === null ? {} : { last_read: mark.last_read }),
      marked_unread: mark.unread_from !== null,
      removed: rows.length < mostShown ? Math.max(0, unread - counted) : 0,
      messages: rows.map((row) => {
        const user = found.get(row.user_id)?.user;
        const isGone = row.deleted_at !== null;
        const reason = row.silent ? ('silent' as const) : isGone ? ('deleted' as const) : ('unread' as const);
        const { id, number, created_at } = row;
        return { id, number, ...(user ? { user } : {}), text: isGone ? '' : row.text, created_at, reason };
      }),
    };
  }

  async #named(rows: ReceiptRow[]) {
    const { kernel, users } = this.#deps;
    const found = await users.getMany(
      kernel.db,
      rows.map((row) => row.user_id),
    );
    return rows.flatMap(({ user_id, at }) => {
      const user = found.get(user_id)?.user;
      return user ? [{ user, ...(at === null ? {} : { at }) }] : [];
    });
  }
}
