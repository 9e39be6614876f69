import { Type } from 'typebox';
import { UserSchema } from './users.ts';

const watching = Type.Object({ user: UserSchema, watcher_count: Type.Integer() });

export const presenceEvents = {
  'user.presence.changed': Type.Object({ user: UserSchema }),
  'user.watching.start': watching,
  'user.watching.stop': watching,
};
