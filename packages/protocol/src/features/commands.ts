import { Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional } from '../record.ts';
import { closed } from '../schema.ts';
import { CommandName, CommandSchema } from './command-record.ts';

const settings = {
  description: optional('What the command does, in words for people.', Type.String({ maxLength: 256 })),
  args: optional('A hint at what to write after the name.', Type.String({ maxLength: 128 })),
  set: optional('The group that the command belongs to.', Type.String({ maxLength: 64 })),
};
const path = { name: doc('The name of the command.', CommandName) };
const reply = Type.Object({ command: doc('The command.', CommandSchema) });

export const commandsCalls = {
  'GET /commands': call({
    side: 'CS',
    limit: 'read',
    summary: 'All commands: those that are built in, then those of the app',
    reply: Type.Object({ commands: doc('All commands.', Type.Array(CommandSchema)) }),
  }),
  'POST /commands': call({
    side: 'S',
    limit: 'write',
    summary: 'Make a command',
    status: 201,
    body: closed({ name: doc('The word after the slash.', CommandName), ...settings }),
    reply,
  }),
  'GET /commands/{name}': call({ side: 'CS', limit: 'read', summary: 'One command', path, reply }),
  'PUT /commands/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Replace what a command says of itself',
    path,
    body: closed(settings),
    reply,
  }),
  'DELETE /commands/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Delete a command; messages sent by it stay',
    path,
    reply: Type.Object({}),
  }),
};
