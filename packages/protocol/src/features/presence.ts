import { Type } from 'typebox';
import { doc } from '../record.ts';
import { UserSchema } from './users.ts';

const watching = Type.Object({
  user: doc('The user who starts or stops watching the channel.', UserSchema),
  watcher_count: doc('The number of users who watch the channel now.', Type.Integer()),
});

export const presenceEvents = {
  'user.presence.changed': Type.Object({
    user: doc('The user, with `online` and `last_active` as they are now.', UserSchema),
  }),
  'user.watching.start': watching,
  'user.watching.stop': watching,
};
