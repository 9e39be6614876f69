import type { ParleyClient } from '@parley/client';
import { type Commands, createCommands } from '@parley/client/commands';
import { createMentions, type Mentions } from '@parley/client/mentions';

type Outgoing = { mentions: Mentions; commands: Commands };

const made = new WeakMap<ParleyClient, Outgoing>();

/** Whom and what the texts of a client call: one memory for all its composers. */
export const outgoingOf = (client: ParleyClient): Outgoing => {
  const known = made.get(client);
  if (known) return known;
  const mentions = createMentions(client);
  const outgoing = { mentions, commands: createCommands(client, mentions) };
  made.set(client, outgoing);
  return outgoing;
};
