import type { Access } from '../../access/access.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel.ts';
import type { FileRow } from './record.ts';
import { listPlaces } from './store.ts';

export type FileReading = ReturnType<typeof createFileReading>;

/** Who may read a file: its uploader and the server; whoever reads a channel in which a message carries it; and as long
 * as it belongs to no channel, whoever knows its URL, as a picture of a person must be seen by all. */
export const createFileReading = (kernel: Kernel, access: Access) => ({
  async mayRead(actor: Actor, file: FileRow, db: Db = kernel.db): Promise<boolean> {
    if (actor.kind === 'server') return true;
    if (actor.kind === 'user' && actorId(actor) === file.user_id) return true;
    if (!file.linked) return file.cid === null;
    for (const cid of await listPlaces(db, file.id)) if (await access.mayRead(actor, cid, db)) return true;
    return false;
  },
});
