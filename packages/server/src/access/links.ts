import { type Place, requireCapability } from './place.ts';

const link = /https?:\/\//i;

/** Refuses a link to who may not send any, in whatever field it stands: texts, and custom data at any depth. */
export const checkLinks = (place: Place, ...parts: unknown[]): void => {
  const text = parts.map((part) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? '')));
  if (text.some((one) => link.test(one))) requireCapability(place, 'send-links');
};

/** The same for a change: what stood there before may stay. */
export const checkNewLinks = (place: Place, before: unknown, after: unknown): void => {
  if (JSON.stringify(before) !== JSON.stringify(after)) checkLinks(place, after);
};
