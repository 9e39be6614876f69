import type { ColumnType, Generated } from 'kysely';

/** Times as in schema.ts. */
type Time = string;

export type FilesTable = {
  id: string;
  user_id: string;
  /** Chosen by the uploader: a repeat finds what was stored. */
  upload_id: string | null;
  /** The channel it was uploaded for. */
  cid: string | null;
  name: string;
  mime_type: string;
  size: Generated<number>;
  width: number | null;
  height: number | null;
  duration: number | null;
  has_thumb: Generated<boolean>;
  state: ColumnType<'receiving' | 'ready' | 'removing', 'receiving' | undefined, 'ready' | 'removing'>;
  /** Whether a message carries it; kept by triggers. */
  linked: Generated<boolean>;
  /** When the last message that carried it went; set by a trigger, and only where `was_attached`. The collector removes it next. */
  unlinked_at: Time | null;
  /** Its uploader attached it, or a message carried it and it has a channel. Never false again: else the file of a message that
   * was deleted for good would be open to everyone. */
  was_attached: Generated<boolean>;
  /** When it was last uploaded, named or found in use. */
  used_at: Time;
  leased_until: Time | null;
  created_at: Time;
};

export type FileLinksTable = { file_id: string; message_id: string; cid: string };
