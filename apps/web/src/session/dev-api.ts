import type { User } from '@parley/client';

/** The calls of demo mode, made before anybody is signed in. */
export const createDevApi = (apiKey: string, fetcher: typeof fetch) => {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const reply = await fetcher(`/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: T & { message?: string } = await reply.json();
    if (!reply.ok) throw new Error(answer.message ?? 'The server refused');
    return answer;
  };
  return {
    people: async (): Promise<User[]> => (await ask<{ users: User[] }>('/dev/users')).users,
    token: async (id: string, name?: string): Promise<string> => {
      const reply = await ask<{ access_token: string }>('/dev/token', { user_id: id, ...(name && { name }) });
      return reply.access_token;
    },
  };
};
export type DevApi = ReturnType<typeof createDevApi>;
