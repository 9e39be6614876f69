import type { AskedFile } from '../../db/named-files.ts';
import type { Db } from '../../db/schema.ts';
import { createHook } from '../../wiring/hooks.ts';

/** Finds which of these files the rows of a feature still name. Files of messages need no answer: their links are stored. */
export type NamedFilesHook = (db: Db, files: AskedFile[]) => Promise<string[]>;

/** The questions that attachments ask other features. */
export const createFileHooks = () => ({ namedFiles: createHook<NamedFilesHook>() });
export type FileHooks = ReturnType<typeof createFileHooks>;
