import type { StoredEvent } from '../bus/bus.ts';

type Logged = {
  type: string;
  seq: number;
  cid: string;
  member?: { user_id?: string };
  user?: { id?: string };
};

/** An event of the log as it was published. */
export const storedEventOf = (json: string): StoredEvent => {
  const { type, seq, cid, member, user }: Logged = JSON.parse(json);
  const userId = member?.user_id ?? (type.startsWith('member.') ? user?.id : undefined);
  return { kind: 'channel', cid, type, seq, json, ...(userId === undefined ? {} : { userId }) };
};

/** When the event was stored, by the clock of the server that did. */
export const sentAt = ({ json }: StoredEvent): number => {
  const { created_at }: { created_at: string } = JSON.parse(json);
  return Date.parse(created_at);
};
