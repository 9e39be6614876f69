import { type Static, Type } from 'typebox';
import { Time } from '../schema.ts';

export const CommandName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  errorText: 'must be 1 to 64 of a–z 0–9 _ - and begin with a letter',
});

/** What one may write after a slash. Those that are built in have no times. */
export const CommandSchema = Type.Object({
  name: Type.String(),
  description: Type.String(),
  args: Type.String(),
  set: Type.String(),
  custom: Type.Boolean(),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
});
export type Command = Static<typeof CommandSchema>;
