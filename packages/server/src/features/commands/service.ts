import { type BodyOf, type Command, invalid, ParleyError } from '@parley/protocol';
import type { Kernel } from '../../kernel/kernel.ts';
import type { BeforeSendHook } from '../messages/hooks.ts';
import { builtInCommands } from './built-in.ts';
import {
  type CommandRow,
  deleteCommand,
  findCommand,
  insertCommand,
  listCommands,
  updateCommand,
} from './store.ts';

type Settings = BodyOf<'PUT /commands/{name}'>;

const toCommand = (row: CommandRow): Command => ({ ...row, custom: true });
const findBuiltIn = (name: string): Command | undefined => builtInCommands.find((one) => one.name === name);
const missing = (name: string): ParleyError => new ParleyError('NotFound', `No command ${name}`);

const refuseBuiltIn = (name: string): void => {
  if (findBuiltIn(name)) throw invalid('name', `/${name} is built in and cannot be changed`);
};

export type Commands = ReturnType<typeof createCommandService>;

export const createCommandService = ({ db, now }: Kernel) => {
  const find = async (name: string): Promise<Command | undefined> => {
    const row = await findCommand(db, name);
    return row ? toCommand(row) : findBuiltIn(name);
  };
  /** Refuses a message that says it came by a command that nobody has made. */
  const check: BeforeSendHook = async (_actor, _place, { marks }) => {
    if (marks?.command !== undefined && !(await find(marks.command)))
      throw invalid('message.command', `there is no command /${marks.command}`);
  };
  return {
    check,
    async list(): Promise<Command[]> {
      const rows = await listCommands(db);
      return [...builtInCommands, ...rows.map(toCommand)];
    },
    async show(name: string): Promise<Command> {
      const command = await find(name);
      if (!command) throw missing(name);
      return command;
    },
    async create(name: string, { description = '', args = '', set = '' }: Settings): Promise<Command> {
      refuseBuiltIn(name);
      const at = now();
      const row = await insertCommand(db, {
        ...{ name, description, args, set },
        ...{ created_at: at, updated_at: at },
      });
      if (!row) throw new ParleyError('DuplicateId', `The command ${name} exists`);
      return toCommand(row);
    },
    async replace(name: string, { description = '', args = '', set = '' }: Settings): Promise<Command> {
      refuseBuiltIn(name);
      const row = await updateCommand(db, name, { description, args, set, updated_at: now() });
      if (!row) throw missing(name);
      return toCommand(row);
    },
    async remove(name: string): Promise<void> {
      refuseBuiltIn(name);
      if (!(await deleteCommand(db, name))) throw missing(name);
    },
  };
};
