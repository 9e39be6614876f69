import type { Generated } from 'kysely';

/** Times are RFC 3339 strings, as in `schema.ts`. */
export type SharedLocationsTable = {
  message_id: string;
  cid: string;
  user_id: string;
  created_by_device_id: string;
  latitude: number;
  longitude: number;
  /** Null: where somebody was when they said so. */
  end_at: string | null;
  /** The end of a live one was published, or it never was live. */
  ended: boolean;
  /** Not published: moved since its position was last published. Why it keeps this name: docs/decisions.md. */
  untold: Generated<boolean>;
  /** When its position was published last. */
  published_at: string | null;
  created_at: string;
  updated_at: string;
};
