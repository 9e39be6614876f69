import type { Generated } from 'kysely';

/** Times as in schema.ts. */
type Time = string;

export type SharedLocationsTable = {
  message_id: string;
  cid: string;
  user_id: string;
  created_by_device_id: string;
  latitude: number;
  longitude: number;
  /** Null: where somebody was when they said so. */
  end_at: Time | null;
  /** The end of a live one was told, or it never was live. */
  ended: boolean;
  /** Moved since the log last told where it is. */
  untold: Generated<boolean>;
  created_at: Time;
  updated_at: Time;
};
