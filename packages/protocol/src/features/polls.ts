import { Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { closed, Id, NewId, Next, open, Patch, queryProperties } from '../schema.ts';
import { PollInputSchema, PollOptionSchema, PollSchema, PollVoteSchema } from './poll-record.ts';

const reply = Type.Object({ poll: PollSchema });
const optionReply = Type.Object({ poll_option: PollOptionSchema, poll: PollSchema });
const voteReply = Type.Object({ vote: PollVoteSchema, poll: PollSchema });
const OptionText = Type.Optional(Type.String({ maxLength: limits.pollOptionLength }));

export const pollsCalls = {
  'POST /polls': call({
    side: 'CS',
    limit: 'write',
    summary: 'Make a poll, to be sent by a message with its `poll_id`; the same id again returns it (200)',
    status: 201,
    body: open(PollInputSchema.properties),
    reply,
  }),
  'PUT /polls': call({
    side: 'CS',
    limit: 'write',
    summary: 'Replace what a poll says; options keep their votes by their ids',
    body: open({ ...PollInputSchema.properties, id: Id }),
    reply,
  }),
  'GET /polls/{id}': call({ side: 'CS', limit: 'read', summary: 'One poll', reply }),
  'PATCH /polls/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update a poll; `is_closed` closes and reopens it',
    body: Patch,
    reply,
  }),
  'DELETE /polls/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete a poll with its votes; the message that held it stays',
    reply,
  }),
  'POST /polls/{id}/options': call({
    side: 'CS',
    limit: 'write',
    summary: 'Add an option; where options may be suggested, for everyone who may vote',
    status: 201,
    body: closed({ id: Type.Optional(NewId), text: OptionText }),
    reply: optionReply,
  }),
  'PUT /polls/{id}/options': call({
    side: 'CS',
    limit: 'write',
    summary: 'Say an option in other words; its votes stay',
    body: closed({ id: Id, text: OptionText }),
    reply: optionReply,
  }),
  'GET /polls/{id}/options/{option_id}': call({
    side: 'CS',
    limit: 'read',
    summary: 'One option of a poll',
    reply: optionReply,
  }),
  'DELETE /polls/{id}/options/{option_id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Delete an option with its votes',
    reply: optionReply,
  }),
  'POST /messages/{id}/polls/{poll_id}/vote': call({
    side: 'CS',
    limit: 'write',
    summary: 'Vote for an option, or answer in words; the same vote again returns it (200)',
    status: 201,
    body: closed({
      vote: closed({
        option_id: Type.Optional(Id),
        answer_text: Type.Optional(Type.String({ maxLength: limits.pollAnswerLength })),
      }),
    }),
    reply: voteReply,
  }),
  'DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Take a vote or an answer of one’s own back',
    reply: voteReply,
  }),
  'POST /polls/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Polls of the channels one may read, newest first',
    body: closed(queryProperties),
    reply: Type.Object({ polls: Type.Array(PollSchema), next: Next }),
  }),
  'POST /polls/{id}/votes': call({
    side: 'CS',
    limit: 'read',
    summary: 'Votes, newest first; `is_answer: true` in the filter gives the answers',
    body: closed(queryProperties),
    reply: Type.Object({ votes: Type.Array(PollVoteSchema), next: Next }),
  }),
};

const pollEvent = Type.Object({ poll: PollSchema });
/** One event may tell of many votes; its type and `vote` are those of the last. */
const voteEvent = Type.Object({ poll: PollSchema, vote: Type.Optional(PollVoteSchema) });

export const pollsEvents = {
  'poll.updated': pollEvent,
  'poll.closed': pollEvent,
  'poll.deleted': pollEvent,
  'poll.vote_casted': voteEvent,
  'poll.vote_changed': voteEvent,
  'poll.vote_removed': voteEvent,
  /** To the voter alone, on all their connections. */
  'notification.poll_own_votes': Type.Object({
    poll_id: Id,
    message_id: Id,
    own_votes: Type.Array(PollVoteSchema),
  }),
};
