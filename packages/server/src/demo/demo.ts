import type { Tokens } from '../auth/tokens.ts';
import type { Services } from '../features/all.ts';
import type { Routes } from '../http/route.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { demoWorld } from './world.ts';

/** Demo mode: a token for whoever asks. Outside demo mode none of this exists. */
export const demoRoutes = (
  routes: Routes,
  { db }: Kernel,
  services: Services,
  tokens: Awaited<Tokens>,
): void => {
  const welcome = async (userId: string): Promise<void> => {
    const user = await services.users.cache.get(db, userId);
    const open = demoWorld.channels.filter(
      (channel) => channel.openTo === 'everyone' && channel.id !== undefined,
    );
    for (const { type, id } of open) {
      const cid = `${type}:${id}`;
      const exists = await services.access.look({ kind: 'server', user }, cid);
      if (exists)
        await services.channels.changes.update({ kind: 'server', user }, cid, { add_members: [userId] });
    }
  };

  routes.add('POST /dev/token', async ({ body }) => {
    const known = await services.users.cache.get(db, body.user_id);
    const details = body.name === undefined ? undefined : { id: body.user_id, name: body.name };
    const { user } = await services.users.ensure(body.user_id, known ? undefined : details);
    if (!known) await welcome(user.id);
    return { user, access_token: await tokens.issue(user.id) };
  });

  routes.add('GET /dev/users', async () => {
    const found = await services.users.cache.getMany(
      db,
      demoWorld.users.map((user) => user.id),
    );
    return { users: demoWorld.users.flatMap(({ id }) => found.get(id)?.user ?? []) };
  });
};
