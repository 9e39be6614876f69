import type { ParleyClient } from '@parley/client';
import { type Commands, commands } from '@parley/client/commands';
import { type Mentions, mentions } from '@parley/client/mentions';
import { type Notes, notes } from '@parley/client/messages';

type Outgoing = { mentions: Mentions; commands: Commands; notes: Notes };

/** The features for a text that mentions somebody or begins with a command. */
export const outgoingOf = (client: ParleyClient): Outgoing => ({
  mentions: client.feature(mentions),
  commands: client.feature(commands),
  notes: client.feature(notes),
});
