import { ParleyError, texts } from '@parley/protocol/errors';

export type ChannelPath = { type: string; id: string };

const checkChannelId = (id: string): string => {
  if (id.includes(':')) throw new Error(texts.channelIdColon);
  return id;
};

export const toCid = (type: string, id: string): string => `${checkChannelId(type)}:${checkChannelId(id)}`;

export const fromCid = (cid: string): ChannelPath => {
  const colon = cid.indexOf(':');
  if (colon < 1) throw new ParleyError('InputInvalid', `"${cid}" is no cid such as "messaging:general"`);
  return { type: cid.slice(0, colon), id: checkChannelId(cid.slice(colon + 1)) };
};
