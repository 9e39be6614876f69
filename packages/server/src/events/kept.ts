type Fields = Record<string, unknown>;

const times = ['created_at', 'updated_at'];

/** The fields that the log stores of each record: its id and place, and nothing that a person wrote. Their text
 * may be edited or deleted, so it is read where it stands when the log is read. */
const keptOf: Readonly<Record<string, readonly string[]>> = {
  message: [
    ...['id', 'parent_id', 'show_in_channel', 'silent', 'number', 'user', 'deleted_at', 'deleted_by_other'],
    ...times,
  ],
  reaction: ['message_id', 'user_id', 'type', 'score', ...times],
  poll: ['id', 'message_id', 'cid', 'version', 'created_by_id', 'voting_visibility', ...times],
  vote: ['id', 'poll_id', 'option_id', 'is_answer', 'user_id', ...times],
  shared_location: ['message_id', 'cid', 'user_id', 'created_by_device_id', 'end_at', ...times],
  channel: [
    ...['id', 'type', 'cid', 'deleted_at', 'last_message_at', 'truncated_at', 'member_count'],
    ...['frozen', 'cooldown', 'disabled', 'fidelity'],
    ...times,
  ],
  member: [
    ...['user_id', 'channel_role', 'banned', 'invited', 'invite_accepted_at', 'invite_rejected_at'],
    ...times,
  ],
  thread: ['parent_message_id', 'cid', 'last_number', ...times],
  user: ['id'],
};

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const keep = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => keep(name.replace(/s$/, ''), one));
  if (!isObject(value)) return value;
  const kept: Fields = {};
  for (const key of keptOf[name] ?? []) if (value[key] !== undefined) kept[key] = keep(key, value[key]);
  return kept;
};

/** The fields of an event as the log keeps them. A record without a line above leaves nothing behind. */
export const keptFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, keep(name, value)]));

/** A record as it is now, but for the parts that the log keeps: those are as they were. */
export const asThen = (name: string, now: object, kept: Fields): Fields => {
  const rest: Fields = { ...now };
  for (const key of keptOf[name] ?? []) delete rest[key];
  return { ...rest, ...kept };
};

/** Whether the log knows what to keep of a record of this name. */
export const isKept = (name: string): boolean => keptOf[name.replace(/s$/, '')] !== undefined;
