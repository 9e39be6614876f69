/** Checks for mistakes that a product without a compiler makes, before anything is signed or sent. */
import { invalid } from '@parley/protocol/errors';
import { idPattern } from '@parley/protocol/limits';

/** The year 5138 in seconds, and 1973 in milliseconds: what is above was meant in milliseconds. */
const mostSeconds = 1e11;
const idShape = new RegExp(idPattern);

export const checkUserId = (id: unknown): void => {
  if (typeof id !== 'string' || !idShape.test(id))
    throw invalid(
      'userId',
      `must be the id of a user (${idPattern}), not ${JSON.stringify(id) ?? 'undefined'}`,
    );
};

/** Checks `exp` or `iat` of a token, where one is given. */
export const checkSeconds = (name: string, time: unknown): void => {
  if (time === undefined) return;
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0)
    throw invalid(
      name,
      `must be a number of seconds since 1970, not ${time instanceof Date ? 'a Date' : String(time)}`,
    );
  if (time > mostSeconds)
    throw invalid(
      name,
      `must be in seconds since 1970, and ${time} is in milliseconds: Math.floor(ms / 1000)`,
    );
};

export const checkUsers = (users: unknown): void => {
  if (!Array.isArray(users)) throw invalid('users', 'must be a list of users: [{ id, name }]');
  for (const [index, user] of users.entries())
    if (typeof Object(user).id !== 'string') throw invalid(`users.${index}.id`, 'is missing');
};

/** The base URL without the slashes at its end. */
export const checkBaseUrl = (baseUrl: unknown): string => {
  if (typeof baseUrl !== 'string' || !/^https?:\/\/./.test(baseUrl))
    throw invalid('baseUrl', `must be text such as "https://chat.example.com/api", not ${String(baseUrl)}`);
  return baseUrl.replace(/\/+$/, '');
};
