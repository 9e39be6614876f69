type Fields = Record<string, unknown>;

const times = ['created_at', 'updated_at'];

/** The fields that the log stores of each record: its id and place, and nothing that a person wrote. The text
 * of a record may be edited or deleted, so it is read from its table when the log is read. */
const namesOf: Readonly<Record<string, readonly string[]>> = {
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

/** The fields of one record as the log stores them. */
export const loggedRecord = (name: string, record: Fields): Fields => {
  const logged: Fields = {};
  for (const key of namesOf[name] ?? []) if (record[key] !== undefined) logged[key] = pick(key, record[key]);
  return logged;
};

const pick = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => pick(name.replace(/s$/, ''), one));
  return isObject(value) ? loggedRecord(name, value) : value;
};

/** The fields of an event as the log stores them. Of a record without a line above nothing is stored. */
export const loggedFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, pick(name, value)]));

/** A record as it is now, except the fields that the log stores: those are as they were. */
export const withLoggedFields = (name: string, now: object, logged: Fields): Fields => {
  const rest: Fields = { ...now };
  for (const key of namesOf[name] ?? []) delete rest[key];
  return { ...rest, ...logged };
};

/** Whether the log has a list of fields for records of this name. */
export const hasLoggedFields = (name: string): boolean => namesOf[name.replace(/s$/, '')] !== undefined;
