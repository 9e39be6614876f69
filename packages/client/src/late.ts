/** Rare calls of a client, in a file of its own that is loaded when one is first made. */
import type { Core } from './core.ts';
import { createChannelChanges } from './features/channels/changes.ts';
import { createMutes } from './features/channels/mutes.ts';
import { createOwnCalls } from './features/channels/own-calls.ts';
import { createMembers } from './features/members/actions.ts';
import { createMessageCalls } from './features/messages/calls.ts';
import { createEditedSends } from './features/messages/edited-sends.ts';
import { createLeftOutCalls } from './features/messages/left-out-calls.ts';
import { createReplyPages } from './features/messages/reply-pages.ts';
import { createPollCalls } from './features/polls/calls.ts';
import { createPresenceCalls } from './features/presence/calls.ts';
import { createReactionCalls } from './features/reactions/calls.ts';
import { createReadCalls } from './features/reads/calls.ts';
import { createDeliveryCalls } from './features/reads/delivery-calls.ts';
import { createUserCalls } from './features/users/calls.ts';
import type { LateTools } from './late-tools.ts';

/** All values come in from outside: what these files imported would be taken out of the entry into a third file. */
export const createLate = (core: Core, tools: LateTools) => ({
  users: createUserCalls(core),
  channels: createChannelChanges(core, tools),
  mutes: createMutes(core),
  own: createOwnCalls(core, tools),
  members: createMembers(core, tools),
  messages: createMessageCalls(core, tools),
  editedSends: createEditedSends(core),
  presence: createPresenceCalls(core, tools),
  reactions: createReactionCalls(core),
  polls: createPollCalls(core),
  leftOut: createLeftOutCalls(core, tools),
  replies: createReplyPages(core, tools),
  reads: createReadCalls(core),
  deliveries: createDeliveryCalls(core, tools),
});
export type Late = ReturnType<typeof createLate>;
