import { type Place, requireCapability } from './place.ts';

const link = /https?:\/\//i;

/** Whether a link stands in it: in a text, or in custom data at any depth. */
export const hasLink = (part: unknown): boolean =>
  link.test(typeof part === 'string' ? part : (JSON.stringify(part) ?? ''));

/** Refuses a link to who may not send any, in whatever field it stands: texts, and custom data at any depth. */
export const checkLinks = (place: Place, ...parts: unknown[]): void => {
  if (parts.some(hasLink)) requireCapability(place, 'send-links');
};

/** The same for a change: what stood there before may stay. */
export const checkNewLinks = (place: Place, before: unknown, after: unknown): void => {
  if (JSON.stringify(before) !== JSON.stringify(after)) checkLinks(place, after);
};
