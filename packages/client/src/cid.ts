import { invalid, texts } from '@parley/protocol/errors';

export type ChannelPath = { type: string; id: string };

const checkChannelId = (id: string): string => {
  if (typeof id !== 'string' || !id) throw invalid('cid', `"${id}" is no channel type or id`);
  if (id.includes(':')) throw new Error(texts.channelIdColon);
  return id;
};

/** Joins the type and the id of a channel to its cid. */
export const toCid = (type: string, id: string): string => `${checkChannelId(type)}:${checkChannelId(id)}`;

/** Refuses in words what is no object: an argument that was forgotten, or one of another kind. */
export const checkObject = (name: string, value: unknown): void => {
  if (Object(value) !== value) throw invalid(name, `${name} must be an object, not ${value}`);
};

/** Refuses in words what names no message. */
export const checkRef = (ref: { cid: string; id: string }): void => void fromCid(ref?.cid);

/** Splits a cid into the type and the id of its channel. */
export const fromCid = (cid: string): ChannelPath => {
  const colon = String(cid).indexOf(':');
  if (colon < 1) throw invalid('cid', `"${cid}" is no cid such as "messaging:general"`);
  return { type: cid.slice(0, colon), id: checkChannelId(cid.slice(colon + 1)) };
};
