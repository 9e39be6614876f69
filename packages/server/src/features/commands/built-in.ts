import type { Command } from '@parley/protocol';

const builtIn = (name: string, args: string, description: string): Command => ({
  name,
  description,
  args,
  set: 'parley',
  custom: false,
});

/** The commands that every client knows. */
export const builtInCommands: readonly Command[] = [
  builtIn('invite', '@person', 'Invite people to this conversation'),
  builtIn('me', 'text', 'Say what you are doing'),
  builtIn('poll', 'question', 'Ask everyone here something'),
  builtIn('remind', '[me] when what', 'Be reminded of this conversation; nobody else sees it'),
  builtIn('shrug', 'text', 'Add a shrug to a message'),
  builtIn('topic', 'text', 'Say what this conversation is about'),
];
