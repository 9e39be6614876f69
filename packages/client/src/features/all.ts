/** The features in their order: each may import only those above it. */
import type { Core } from '../core.ts';
import { late } from '../load-late.ts';
import { stopAll, type Unsubscribe } from '../readable.ts';
import type { Reducers } from '../sync/apply.ts';
import type { Outbox } from '../sync/outbox.ts';
import { createChannels, followChannels } from './channels/actions.ts';
import { followOwnPart } from './channels/follow-own.ts';
import { channelsReducers } from './channels/reducer.ts';
import { locationsReducers } from './locations/reducer.ts';
import { membersReducers } from './members/reducer.ts';
import { createMessages } from './messages/actions.ts';
import { followLeftOut } from './messages/left-out.ts';
import { followPrivateMessages, takePending } from './messages/private-messages.ts';
import { createMessagesReducers } from './messages/reducer.ts';
import { pollsReducers } from './polls/reducer.ts';
import { createPresence } from './presence/actions.ts';
import { presenceReducers } from './presence/reducer.ts';
import { createReactions } from './reactions/actions.ts';
import { reactionsReducers } from './reactions/reducer.ts';
import { createReads, followFidelity, followTotals } from './reads/actions.ts';
import { reportDeliveries } from './reads/delivery.ts';
import { readsReducers } from './reads/reducer.ts';
import { createTyping, expireTypers } from './typing/actions.ts';
import { typingReducers } from './typing/reducer.ts';
import { createUsers, followOwnUser } from './users/actions.ts';
import { usersReducers } from './users/reducer.ts';

export const createReducers = (windowSize: number): Reducers => ({
  ...usersReducers,
  ...channelsReducers,
  ...membersReducers,
  ...createMessagesReducers(windowSize),
  ...reactionsReducers,
  ...pollsReducers,
  ...locationsReducers,
  ...readsReducers,
  ...typingReducers,
  ...presenceReducers,
});

export const createFeatures = (core: Core, outbox: Outbox) => {
  const features = {
    users: { ...createUsers(core), ...late(core, 'users', 'query update') },
    channels: {
      ...createChannels(core),
      ...late(core, 'channels', 'direct update patch delete stopWatching truncate'),
    },
    members: late(
      core,
      'members',
      'add remove join leave invite acceptInvite rejectInvite addModerators demoteModerators setRole updateOwn query',
    ),
    messages: createMessages(core, outbox),
    reactions: { ...createReactions(core, outbox), ...late(core, 'reactions', 'query') },
    reads: createReads(core),
    typing: createTyping(core),
    presence: createPresence(core),
  };
  core.afterState.push((reply) => takePending(core, reply));
  core.afterJump.push((cid) => void features.messages.replies.reload(cid).catch(() => {}));
  return features;
};
export type Features = ReturnType<typeof createFeatures>;

const expireMutes = (core: Core): Unsubscribe => {
  const { expire } = late(core, 'mutes', 'expire');
  const check = () => {
    if (core.me.get()?.channel_mutes.some(({ expires }) => expires)) void expire().catch(() => {});
  };
  check();
  return core.me.subscribe(check);
};

/** Starts the listeners of all features for a user who connects; returns their stop. */
export const followEvents = (core: Core, features: Features): Unsubscribe => {
  return stopAll([
    followOwnUser(core),
    followChannels(core),
    followOwnPart(core),
    expireMutes(core),
    followLeftOut(core),
    followPrivateMessages(core),
    followTotals(core),
    followFidelity(core),
    reportDeliveries(core),
    expireTypers(core),
    features.typing.reset,
  ]);
};
