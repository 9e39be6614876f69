import { limits, type SyncCursor } from '@parley/protocol';
import type { Access } from '../access/access.ts';
import type { Place } from '../access/place.ts';
import type { Actor } from '../auth/actor.ts';
import { type Cursor, listEventsAfter } from '../events/event-log.ts';
import { isConnectionLost } from '../events/unsure-commits.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { LogReader } from './log-reader.ts';
import type { Cleared } from './log-references.ts';

type Page = { events: string[]; bytes: number; more: boolean };

/** Read together: what they refer to is looked up once, and little is read in vain where the answer is full. */
const eventsAtOnce = 200;

/** Whether the database is away, rather than that an event cannot be read. */
const isOfDatabase = (error: unknown): boolean =>
  isConnectionLost(error) && !(error instanceof TypeError) && !(error instanceof SyntaxError);

/** The events after each cursor as JSON text, the channels that must be queried anew, and those to ask for again because
 * the answer is full. */
export const createSync = (kernel: Kernel, access: Access, readLog: LogReader) => {
  const clearedOf = ({ member, channel }: Place): Map<string, string> =>
    new Map(member && member.cleared_at !== null ? [[channel.cid, member.cleared_at]] : []);

  /** The place, for who may read what comes after the cursor. */
  const enter = async (actor: Actor, { cid, seq }: Cursor): Promise<Place | undefined> => {
    const place = await access.look(actor, cid);
    const mayRead = place?.capabilities.has('read-channel') && seq >= (place.member?.cleared_seq ?? 0);
    return mayRead ? place : undefined;
  };

  const fill = async (found: Page, cleared: Cleared, room: number): Promise<Page> => {
    const page: Page = { events: [], bytes: 0, more: found.more };
    for (let start = 0; start < found.events.length; start += eventsAtOnce)
      for (const event of await readLog(found.events.slice(start, start + eventsAtOnce), cleared)) {
        if (page.bytes >= room) return { ...page, more: true };
        page.events.push(event);
        page.bytes += Buffer.byteLength(event);
      }
    return page;
  };

  const pageOf = async (actor: Actor, cursor: Cursor, room: number): Promise<Page | undefined> => {
    const place = await enter(actor, cursor);
    if (!place) return undefined;
    const bounds = { most: limits.syncEventsPerChannel, bytes: room };
    const found = await listEventsAfter(kernel.db, cursor, bounds);
    if (!found) return undefined;
    return fill(found, clearedOf(place), room).catch((error: unknown) => {
      if (isOfDatabase(error)) throw error;
      // An event that cannot be read would keep the client from all that follow it: a snapshot has their outcome.
      kernel.log.error({ err: error, cid: cursor.cid }, 'a part of the log could not be read');
      return undefined;
    });
  };

  return async (actor: Actor, cursors: Record<string, SyncCursor>): Promise<string> => {
    const pages: { cursor: Cursor; page: Page }[] = [];
    const resync: string[] = [];
    const full: string[] = [];
    let room = limits.syncBytes;
    for (const [cid, given] of Object.entries(cursors)) {
      const cursor = { cid, ...(typeof given === 'number' ? { seq: given } : given) };
      // The first channel is always given an event, so every answer brings the client a step forward.
      const page = room > 0 ? await pageOf(actor, cursor, room) : 'full';
      if (page === 'full') full.push(cid);
      else if (!page) resync.push(cid);
      else {
        pages.push({ cursor, page });
        room -= page.bytes;
      }
    }
    const events: string[] = [];
    const more: string[] = [];
    for (const { cursor, page } of pages) {
      // A member who was removed, or cleared the channel, while it was read gets nothing of it.
      if (!(await enter(actor, cursor))) resync.push(cursor.cid);
      else {
        events.push(...page.events);
        if (page.more) more.push(cursor.cid);
      }
    }
    more.push(...full);
    const rest = more.length > 0 ? `,"more":${JSON.stringify(more)}` : '';
    return `{"events":[${events.join(',')}],"resync":${JSON.stringify(resync)}${rest}}`;
  };
};
export type Sync = ReturnType<typeof createSync>;
