import type { Access } from '../../access/access.ts';
import { isCleared } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { FileRow } from './record.ts';
import { listPlaces } from './store.ts';

export type FileAccess = ReturnType<typeof createFileAccess>;

/** Does not look at the links of the file: those change by the acts of others, and a file whose message was deleted for good
 * must not open again. */
const isPublic = ({ cid, was_attached }: FileRow): boolean => cid === null && !was_attached;

/** Decides who may read a file: its uploader and the server; everyone who sees a message that carries it now; and as long as it belongs to
 * no channel and its uploader attached it to nothing, whoever knows its URL, as a picture of a person must be seen by all. */
export const createFileAccess = (kernel: Kernel, access: Access) => ({
  async mayRead(actor: Actor, file: FileRow, db: Db = kernel.db): Promise<boolean> {
    if (actor.kind === 'server') return true;
    if (actor.kind === 'user' && actorId(actor) === file.user_id) return true;
    if (isPublic(file)) return true;
    for (const { cid, created_at } of file.linked ? await listPlaces(db, file.id) : []) {
      const place = await access.look(actor, cid, db);
      if (place?.capabilities.has('read-channel') && !isCleared(place, { created_at })) return true;
    }
    return false;
  },
});
