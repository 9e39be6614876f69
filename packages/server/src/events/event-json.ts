type Fields = Record<string, unknown>;

const envelope = (cid: string, createdAt: string): Fields => {
  const colon = cid.indexOf(':');
  return { cid, channel_type: cid.slice(0, colon), channel_id: cid.slice(colon + 1), created_at: createdAt };
};

type LogLine = { type: string; seq: number; cid: string; createdAt: string };

/** An event of a channel's log. `type` and `seq` come first: asNotification relies on it. */
export const logEventJson = ({ type, seq, cid, createdAt }: LogLine, fields: Fields): string =>
  `{"type":"${type}","seq":${seq},${JSON.stringify({ ...envelope(cid, createdAt), ...fields }).slice(1)}`;

/** The part of 'message.new' between its `seq` and its time. */
export const messageNewEnvelope = (cid: string): string =>
  `,${JSON.stringify(envelope(cid, '')).slice(1, -'"}'.length)}`;

/** 'message.new' of its parts: the envelope of its channel, and the message as JSON text. */
export const messageNewOf = (seq: number, channel: string, createdAt: string, messageJson: string): string =>
  `{"type":"message.new","seq":${seq}${channel}${createdAt}","message":${messageJson}}`;

/** 'message.new' around a message that is JSON text already. */
export const messageNewJson = (seq: number, cid: string, createdAt: string, messageJson: string): string =>
  messageNewOf(seq, messageNewEnvelope(cid), createdAt, messageJson);

type LoggedMessage = {
  id: string;
  user_id: string;
  number: number;
  silent: boolean;
  created_at: string;
  updated_at: string;
};

/** The payload that the log stores of 'message.new' for a message of a channel's timeline (see logged-fields.ts). */
export const loggedMessageNewJson = (seq: number, cid: string, row: LoggedMessage): string => {
  const { id, user_id, number, silent, created_at, updated_at } = row;
  const logged = { id, silent, number, user: { id: user_id }, created_at, updated_at };
  return messageNewJson(seq, cid, created_at, JSON.stringify(logged));
};

/** A transient event of a channel: it has no place in the log. */
export const transientEventJson = (type: string, cid: string, createdAt: string, fields: Fields): string =>
  JSON.stringify({ type, ...envelope(cid, createdAt), ...fields });

export const userEventJson = (type: string, createdAt: string, fields: Fields, cid?: string): string =>
  JSON.stringify({ type, ...(cid ? envelope(cid, createdAt) : { created_at: createdAt }), ...fields });

/** 'message.new' with its seq as the 'notification.message_new' that members get who do not watch. */
export const asNotification = (json: string): string =>
  `{"type":"notification.message_new",${json.slice(json.indexOf(',', json.indexOf('"seq":')) + 1)}`;
