import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ParleyError, texts, type Upload, type UploadRules } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { requireCapability } from '../../access/place.ts';
import { type Actor, actingUser, actorId, refuseBanned } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import { codeOf } from '../../lib/code-of.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import type { Collector } from './collector.ts';
import type { FileAccess } from './file-access.ts';
import type { Images } from './images.ts';
import { createIngest, type IngestedFile } from './ingest.ts';
import { drain, type Form, type FormRules, type IncomingFile, readForm } from './receive.ts';
import { createFileUrls, type FileRow, type FileUrls, fileIdOf, toUpload } from './record.ts';
import { createSigner, type Signer } from './signing.ts';
import {
  deleteFile,
  findByUploadId,
  findFile,
  findFiles,
  finishFile,
  insertFile,
  markRemoving,
  markUnfinished,
  sumBytes,
} from './store.ts';
import { type Room, UploadsInProgress } from './uploads-in-progress.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  storage: Storage;
  fileAccess: FileAccess;
  collector: Collector;
  images: Images;
};

/** The purpose of an upload. */
export type Wanted = { kind: 'file' | 'image'; cid?: string | undefined; uploadId?: string | undefined };
/** A file on its way in, and what its form says besides. */
type Arriving = {
  length: number | undefined;
  read: (take: (file: IncomingFile) => Promise<IngestedFile>, room: Room) => Promise<Form<IngestedFile>>;
};
export type Uploaded = { upload: Upload; isNew: boolean };

const removeLeaseMs = 60_000;
const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Receives, signs and removes uploaded files. */
export class Uploads {
  readonly signer: Signer;
  #deps: Deps;
  #urls: FileUrls;
  #ingest: ReturnType<typeof createIngest>;
  #inProgress: UploadsInProgress;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#urls = createFileUrls(deps.kernel.config.publicUrl);
    this.#ingest = createIngest(deps.kernel, deps.storage, deps.images);
    this.#inProgress = new UploadsInProgress(deps.kernel.config.uploads, (userId) =>
      sumBytes(deps.kernel.db, userId),
    );
    this.signer = createSigner(deps.kernel.config.apiSecret);
  }

  rules(): UploadRules {
    const { filesPerMessage, fileBytes, imagePixels, blocked } = this.#deps.kernel.config.uploads;
    return { files_per_message: filesPerMessage, file_bytes: fileBytes, image_pixels: imagePixels, blocked };
  }

  /** Stores the file of a form. The same upload id of the same user again gives what was stored. */
  receive(actor: Actor, wanted: Wanted, request: IncomingMessage): Promise<Uploaded> {
    const { clock, config } = this.#deps.kernel;
    const given = request.headers['content-length'];
    const read: Arriving['read'] = (take, room) => {
      const rules: FormRules = {
        ...{ fileBytes: config.uploads.fileBytes, fields: ['cid'] },
        ...{ clock, take: room.take },
      };
      return readForm(request, rules, take);
    };
    const length = given === undefined ? undefined : Number(given);
    return this.#keep(actor, wanted, { length, read }).catch((error: unknown) => {
      drain(request, clock);
      throw error;
    });
  }

  /** Stores a file that is in memory, such as one of the demo. */
  importFile(
    actor: Actor,
    wanted: Wanted,
    { name, bytes }: { name: string; bytes: Buffer },
  ): Promise<Uploaded> {
    // The store may keep the memory of what it is given.
    const copy = Buffer.alloc(bytes.length);
    bytes.copy(copy);
    const chunks = async function* () {
      yield copy;
    };
    const read: Arriving['read'] = async (take) => ({
      file: await take({ name, chunks: chunks() }),
      fields: {},
    });
    return this.#keep(actor, wanted, { length: bytes.length, read });
  }

  #running = new Set<Promise<unknown>>();

  /** Waits for the uploads under way: one that was cut off removes its row and bytes. The store has time limits of its own. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #keep(actor: Actor, wanted: Wanted, arriving: Arriving): Promise<Uploaded> {
    const receiving = this.#receive(actor, wanted, arriving);
    this.#running.add(receiving);
    const end = () => void this.#running.delete(receiving);
    receiving.then(end, end);
    return receiving;
  }

  async #receive(actor: Actor, wanted: Wanted, { length, read }: Arriving): Promise<Uploaded> {
    const { kernel } = this.#deps;
    const userId = actingUser(actor).row.id;
    refuseBanned(actor, 'upload-file');
    const { uploadId } = wanted;
    if (wanted.cid !== undefined) await this.#checkChannel(actor, wanted.cid);
    const before = uploadId === undefined ? undefined : await findByUploadId(kernel.db, userId, uploadId);
    if (before) return { upload: toUpload(before, this.#urls), isNew: false };
    const room = await this.#inProgress.enter({ userId, length }, actor.kind === 'server');
    try {
      const row = await this.#store(actor, { ...wanted, userId }, (take) => read(take, room));
      room.stored(row.size);
      return { upload: toUpload(row, this.#urls), isNew: true };
    } catch (error) {
      const first = isUniqueViolation(error) && uploadId !== undefined;
      const stored = first ? await findByUploadId(kernel.db, userId, uploadId) : undefined;
      if (stored) return { upload: toUpload(stored, this.#urls), isNew: false };
      throw this.#toPublicError(error);
    } finally {
      room.leave();
    }
  }

  /** Takes the bytes, and leaves nothing of them when that fails. */
  async #store(
    actor: Actor,
    wanted: Wanted & { userId: string },
    read: (take: (file: IncomingFile) => Promise<IngestedFile>) => Promise<Form<IngestedFile>>,
  ): Promise<FileRow> {
    const { kernel } = this.#deps;
    const { userId, kind, uploadId } = wanted;
    const id = randomBytes(18).toString('base64url');
    const now = kernel.now();
    // The bytes do not wait for the row: its commit and their arrival take the same time.
    const begun = insertFile(kernel.db, {
      ...{ id, user_id: userId, name: '', mime_type: '', used_at: now, created_at: now },
    });
    begun.catch(() => undefined);
    try {
      const form = await read((file) => this.#ingest({ id, kind, userId }, file));
      await begun;
      const cid = wanted.cid ?? form.fields.cid;
      if (wanted.cid === undefined && cid !== undefined) await this.#checkChannel(actor, cid);
      return await this.#finish({ id, userId, cid, uploadId }, form.file);
    } catch (error) {
      await begun.catch(() => undefined);
      await this.#discard(id);
      throw error;
    }
  }

  /** Deletes a file for its uploader or the server. Messages that carry it show that it is gone. */
  async remove(actor: Actor, url: string): Promise<{ file: string }> {
    const { kernel, collector } = this.#deps;
    if (actor.kind === 'anonymous') actingUser(actor);
    const file = await findFile(kernel.db, fileIdOf(url) ?? '');
    if (!file)
      throw new ParleyError('NotFound', 'No such file', [{ path: 'url', message: 'names no uploaded file' }]);
    if (actor.kind !== 'server' && actorId(actor) !== file.user_id)
      throw new ParleyError('NotAllowed', 'Not allowed to delete a file of another (delete-file)');
    await markRemoving(kernel.db, file.id, isoTime(kernel.clock.now() + removeLeaseMs));
    await collector.removeNow(file.id);
    return { file: this.#urls.file(file) };
  }

  /** The URLs among these that the actor may read, each with a signature. */
  async sign(actor: Actor, urls: string[]): Promise<{ urls: Record<string, string>; expires_at: string }> {
    const { kernel, fileAccess } = this.#deps;
    const expires = this.signer.expiry(kernel.clock.now());
    const files = await findFiles(kernel.db, [...new Set(urls.flatMap((url) => fileIdOf(url) ?? []))]);
    const readable = new Set<string>();
    for (const file of files) if (await fileAccess.mayRead(actor, file)) readable.add(file.id);
    const signed = urls.flatMap((url) => {
      const id = fileIdOf(url) ?? '';
      return readable.has(id)
        ? [[url, `${url.replace(/[?#].*$/, '')}?${this.signer.query(id, expires)}`]]
        : [];
    });
    return { urls: Object.fromEntries(signed), expires_at: isoTime(expires * 1000) };
  }

  async #checkChannel(actor: Actor, cid: string): Promise<void> {
    requireCapability(await this.#deps.access.enter(actor, cid), 'upload-file');
  }

  async #finish(
    to: { id: string; userId: string; cid: string | undefined; uploadId: string | undefined },
    { size, ...facts }: IngestedFile,
  ): Promise<FileRow> {
    const { kernel } = this.#deps;
    const values = { ...facts, cid: to.cid ?? null, upload_id: to.uploadId ?? null, used_at: kernel.now() };
    const row = await finishFile(kernel.db, { ...to, size }, values, kernel.config.uploads.userBytes);
    if (!row) throw this.#inProgress.noRoom();
    return row;
  }

  /** The row first: the commit of an upload whose answer was lost may have stored it whole, and then it stays. What cannot
   * be removed now is found by the collector: its row stays. */
  async #discard(id: string): Promise<void> {
    const { kernel, storage } = this.#deps;
    try {
      if (!(await markUnfinished(kernel.db, id, isoTime(kernel.clock.now() + removeLeaseMs)))) return;
      await storage.remove(id);
      await storage.remove(`${id}.thumb`);
      await deleteFile(kernel.db, id);
    } catch (error) {
      kernel.log.warn({ err: error }, 'what is left of an upload is removed later');
      await markUnfinished(kernel.db, id, kernel.now()).catch(() => undefined);
    }
  }

  #toPublicError(error: unknown): unknown {
    if (!(error instanceof StorageError)) return error;
    this.#deps.kernel.log.error({ err: error }, 'a file could not be stored');
    const why = error.isFull ? 'there is no room for it' : 'the store does not answer';
    return new ParleyError('Internal', `${texts.uploadFailed}: ${why}. Try again later`);
  }
}
