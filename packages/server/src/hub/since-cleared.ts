import { loggedRecord } from '../events/logged-fields.ts';
import { locationStub, noContent } from '../events/stubs.ts';
import { createFrame, type Frame } from './frame.ts';

type Dated = { created_at: string } & Record<string, unknown>;
type Shown = {
  seq?: number;
  created_at: string;
  message?: Dated;
  poll?: Dated;
  shared_location?: Dated;
  shared_locations?: Dated[];
  thread?: object;
};

const messageStub = (message: Dated, at: string): object => ({
  ...noContent,
  reply_count: 0,
  pinned: false,
  ...loggedRecord('message', message),
  cid: message.cid,
  deleted_at: message.deleted_at ?? at,
});

// One event goes to many connections in a row.
let last: { frame: Frame; event: Shown } | undefined;
const parse = (frame: Frame): Shown => {
  if (last?.frame !== frame) last = { frame, event: JSON.parse(frame.json) };
  return last.event;
};

/** A live event for somebody who cleared their history at this time: about older messages it has no words, as in the log.
 * Undefined where only the log can say; the next event shows the client that one is missing, and it reads that. */
export const sinceCleared = (frame: Frame, clearedAt: string | undefined): Frame | undefined => {
  if (clearedAt === undefined) return frame;
  const event = parse(frame);
  // Only events of the log are about messages; in one of the embedding app a field of any name may hold anything.
  if (event.seq === undefined) return frame;
  const isOld = (record: Dated | undefined): record is Dated =>
    record !== undefined && record.created_at <= clearedAt;
  const { message, poll, shared_location, shared_locations, thread } = event;
  // A poll may be older than the message that carries it, and that may be new; a thread may be newer than its message.
  if (isOld(poll) || thread) return undefined;
  const hide = (location: Dated) =>
    isOld(location) ? locationStub(loggedRecord('shared_location', location)) : location;
  if (!isOld(message) && !isOld(shared_location) && !shared_locations?.some(isOld)) return frame;
  return createFrame(
    JSON.stringify({
      ...event,
      ...(isOld(message) && { message: messageStub(message, event.created_at) }),
      ...(shared_location && { shared_location: hide(shared_location) }),
      ...(shared_locations && { shared_locations: shared_locations.map(hide) }),
    }),
  );
};
