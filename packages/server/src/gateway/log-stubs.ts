/** Stubs for records that are gone, or that the reader may not see: without anything that a person wrote. */

import type { MessageRow } from '../db/rows.ts';
import { untouched } from '../features/messages/message-row.ts';
import type { LoggedEvent, LoggedMessage, LoggedRecord } from './log-references.ts';

/** A row that reads as a deleted message: who and when, and no quote. */
export const messageStub = (event: LoggedEvent, logged: LoggedMessage): MessageRow => ({
  ...untouched,
  id: logged.id,
  cid: event.cid,
  user_id: logged.user?.id ?? '',
  text: '',
  type: 'deleted',
  attachments: [],
  mentioned: [],
  marks: null,
  parent_id: logged.parent_id ?? null,
  show_in_channel: logged.show_in_channel ?? false,
  quoted_message_id: null,
  poll_id: null,
  has_location: false,
  silent: logged.silent ?? false,
  data: {},
  number: logged.number,
  seq: event.seq,
  created_at: logged.created_at,
  updated_at: logged.updated_at,
  deleted_at: logged.deleted_at ?? event.created_at,
  deleted_by_other: logged.deleted_by_other ?? false,
});

export const pollStub = (logged: LoggedRecord): LoggedRecord => ({
  name: '',
  options: [],
  enforce_unique_vote: false,
  allow_user_suggested_options: false,
  allow_answers: false,
  is_closed: true,
  vote_count: 0,
  vote_counts_by_option: {},
  latest_votes_by_option: {},
  answers_count: 0,
  latest_answers: [],
  ...logged,
});
