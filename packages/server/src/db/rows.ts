import type { Selectable } from 'kysely';
import type { ChannelsTable, MembersTable, MessagesTable, UsersTable } from './schema.ts';

/** Rows that more than one feature reads. A row that one feature alone reads has its type in that feature's store. */
export type UserRow = Selectable<UsersTable>;
export type ChannelRow = Selectable<ChannelsTable>;
export type MemberRow = Selectable<MembersTable>;
export type MessageRow = Selectable<MessagesTable>;
