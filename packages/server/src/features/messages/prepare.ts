import { randomUUID } from 'node:crypto';
import {
  type Attachment,
  invalid,
  type MessageInput,
  MessageInputSchema,
  MessageSchema,
  ParleyError,
  type SharedLocationInput,
} from '@parley/protocol';
import type { Kysely } from 'kysely';
import { checkLinks } from '../../access/links.ts';
import { type MembershipCheck, membershipCheckOf } from '../../access/membership-check.ts';
import { isCleared, type Place, requireCapability } from '../../access/place.ts';
import { type Actor, actingUser, type UserEntry } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Database, MessageMarks } from '../../db/schema.ts';
import { checkCustomSize, customOf, shapeOf } from '../../lib/custom.ts';
import type { AttachmentRules } from '../attachments/attachment-rules.ts';
import { callsOf, type Mentions } from '../mentions/service.ts';
import type { References } from './record.ts';
import { findMessage } from './store.ts';

/** A message that passed every rule and waits for its place in the channel. */
export type Prepared = {
  id: string;
  cid: string;
  author: UserEntry;
  membershipCheck: MembershipCheck | undefined;
  text: string;
  type: 'regular' | 'reply' | 'system';
  attachments: Attachment[];
  mentioned: string[];
  marks: MessageMarks | null;
  /** Author and mentioned people. What a quote refers to is read under the channel's lock: see send-alone. */
  refs: References;
  parent: MessageRow | undefined;
  showInChannel: boolean;
  quoted: MessageRow | undefined;
  pollId: string | undefined;
  location: SharedLocationInput | undefined;
  silent: boolean;
  data: Record<string, unknown>;
};

export const messageShape = shapeOf(MessageInputSchema, MessageSchema);

const noAttachments: Attachment[] = [];
/** Characters that show as nothing: spaces, blank letters, and marks that only steer direction or join. */
const invisible = /^[\s\p{Cf}\p{Zs}\p{DI}\u2800]*$/u;

export const checkText = (text: string, place: Place): void => {
  const most = place.type.config.max_message_length;
  if (text.length > most)
    throw new ParleyError('PayloadTooLarge', `A message here may have ${most} characters`, [
      { path: 'message.text', message: `must have at most ${most} characters` },
    ]);
  checkLinks(place, text);
};

/** `carries`: a poll or a location, which says enough by itself. */
export const checkNotEmpty = (text: string, attachments: readonly unknown[], carries: boolean): void => {
  if (attachments.length === 0 && !carries && invisible.test(text))
    throw invalid('message.text', 'A message must have text or an attachment');
};

export const checkAttachments = (attachments: Attachment[]): void => {
  for (const [index, attachment] of attachments.entries())
    checkCustomSize(attachment, `message.attachments.${index}`);
};

type Deps = { db: Kysely<Database>; mentions: Mentions; attachmentRules: AttachmentRules };

const marksOf = (input: MessageInput): MessageMarks | null => {
  const { command, args } = input;
  if (args !== undefined && command === undefined)
    throw invalid('message.args', 'is for commands: command is missing');
  const called = callsOf(input);
  if (command === undefined) return called;
  return { ...called, command, ...(args === undefined ? {} : { args }) };
};

export const findParent = async (db: Deps['db'], id: string, place: Place): Promise<MessageRow> => {
  const parent = await findMessage(db, id, place.channel.cid);
  if (!parent || isCleared(place, parent))
    throw invalid('message.parent_id', 'names no message of this channel');
  if (parent.parent_id !== null)
    throw invalid('message.parent_id', 'names a reply: a thread hangs on a message, not on a reply');
  if (parent.deleted_at !== null) throw invalid('message.parent_id', 'names a deleted message');
  return parent;
};

const findQuoted = async (db: Deps['db'], id: string, place: Place): Promise<MessageRow> => {
  requireCapability(place, 'quote-message');
  const quoted = await findMessage(db, id, place.channel.cid);
  if (!quoted || isCleared(place, quoted))
    throw invalid('message.quoted_message_id', 'names no message of this channel');
  return quoted;
};

const noQuotes: References['quoted'] = new Map();
const noReactions: References['latest'] = new Map();
const noPolls: References['polls'] = new Map();
const noLocations: References['locations'] = new Map();

/** Refuses a location in a message that is kept for later: where somebody is does not keep. */
export const refuseLocation = ({ shared_location }: Pick<MessageInput, 'shared_location'>): void => {
  if (shared_location !== undefined)
    throw invalid('message.shared_location', 'A location is sent at once: it cannot be kept for later');
};

/** Holds a new message against every rule. Without parent, quote or mentions it asks the database nothing. */
export const prepareMessage = async (
  deps: Deps,
  actor: Actor,
  place: Place,
  input: MessageInput,
): Promise<Prepared> => {
  const author = actingUser(actor);
  if (input.type === 'system' && actor.kind !== 'server')
    throw new ParleyError('NotAllowed', 'Only the server may send system messages (send-system-message)');
  const right = input.parent_id === undefined ? 'send-message' : 'send-reply';
  requireCapability(place, right);
  const text = input.text ?? '';
  const given = input.attachments ?? noAttachments;
  const data = customOf(input, messageShape, 'message');
  checkNotEmpty(text, given, input.poll_id !== undefined || input.shared_location !== undefined);
  checkText(text, place);
  if (input.args !== undefined) checkLinks(place, input.args);
  for (const key in data) checkLinks(place, data[key]);
  checkAttachments(given);
  if (given.length > 0 && deps.attachmentRules.leadOut(given)) requireCapability(place, 'send-links');
  const attachments = await deps.attachmentRules.check(actor, given);
  if (input.show_in_channel !== undefined && input.parent_id === undefined)
    throw invalid('message.show_in_channel', 'is for replies: parent_id is missing');
  const mentioned = input.mentioned_users ? [...new Set(input.mentioned_users)] : [];
  const marks = marksOf(input);
  const mentionedUsers = await deps.mentions.check(deps.db, place, { users: mentioned, calls: marks });
  const parent =
    input.parent_id === undefined ? undefined : await findParent(deps.db, input.parent_id, place);
  const quoted =
    input.quoted_message_id === undefined
      ? undefined
      : await findQuoted(deps.db, input.quoted_message_id, place);
  return {
    id: input.id ?? randomUUID(),
    cid: place.channel.cid,
    author,
    membershipCheck: membershipCheckOf(actor, place, right),
    text,
    type: input.type === 'system' ? 'system' : parent ? 'reply' : 'regular',
    attachments,
    mentioned,
    marks,
    refs: {
      users: new Map(mentionedUsers).set(author.row.id, author),
      quoted: noQuotes,
      latest: noReactions,
      polls: noPolls,
      locations: noLocations,
      now: '',
    },
    parent,
    showInChannel: input.show_in_channel ?? false,
    quoted,
    pollId: input.poll_id,
    location: input.shared_location,
    silent: input.silent ?? false,
    data,
  };
};
