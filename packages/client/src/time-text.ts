import { invalid } from '@parley/protocol/errors';

/** A time as the wire wants it; one that is none is refused by the name of its argument. */
export const isoOf = (name: string, time: Date | string): string => {
  const at = new Date(time);
  if (Number.isNaN(at.getTime()))
    throw invalid(name, `${name} must be a Date or a time such as "2030-01-31T09:00:00Z", not ${time}`);
  return at.toISOString();
};
