import { type Static, Type } from 'typebox';
import { doc, optional, record } from '../record.ts';
import { Time } from '../schema.ts';

export const CommandName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  errorText: 'must be 1 to 64 of a–z 0–9 _ - and begin with a letter',
});

const command = Type.Object({
  name: doc('The word after the slash.', Type.String()),
  description: doc('What the command does, in words for people.', Type.String()),
  args: doc('A hint at what to write after the name.', Type.String()),
  set: doc('The group that the command belongs to.', Type.String()),
  custom: doc('Whether the app has added the command; false for one that is built in.', Type.Boolean()),
  created_at: optional('When the command was created; absent for one that is built in.', Time),
  updated_at: optional('When the command last changed; absent for one that is built in.', Time),
});
/** A command that a person writes after a slash. */
export interface Command extends Static<typeof command> {}
export const CommandSchema = record<Command>('Command', command);
