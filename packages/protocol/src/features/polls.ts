import { Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional } from '../record.ts';
import { closed, Id, NewId, Next, open, patchProperties, queryProperties } from '../schema.ts';
import { PollOptionSchema, PollSchema, PollVoteSchema, pollInputProperties } from './poll-record.ts';

const pollFields = { poll: doc('The poll after the call.', PollSchema) };
const reply = Type.Object(pollFields);
const optionReply = Type.Object({ poll_option: doc('The option.', PollOptionSchema), ...pollFields });
const voteReply = Type.Object({ vote: doc('The vote.', PollVoteSchema), ...pollFields });
const optionFields = {
  text: optional('The text of the option.', Type.String({ maxLength: limits.pollOptionLength })),
};

export const pollsCalls = {
  'POST /polls': call({
    side: 'CS',
    limit: 'write',
    summary: 'Make a poll, to be sent by a message with its `poll_id`; the same id again returns it (200)',
    status: 201,
    body: open({ ...pollInputProperties }),
    reply,
  }),
  'PUT /polls': call({
    side: 'CS',
    limit: 'write',
    summary: 'Replace what a poll says; options keep their votes by their ids',
    body: open({ ...pollInputProperties, id: doc('The id of the poll.', Id) }),
    reply,
  }),
  'GET /polls/{id}': call({ side: 'CS', limit: 'read', summary: 'One poll', reply }),
  'PATCH /polls/{id}': call({
    side: 'CS',
    limit: 'write',
    summary: 'Partly update a poll; `is_closed` closes and reopens it',
    body: closed({ ...patchProperties }),
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
    body: closed({
      id: optional('The id of the option; the server chooses one if it is left out.', NewId),
      ...optionFields,
    }),
    reply: optionReply,
  }),
  'PUT /polls/{id}/options': call({
    side: 'CS',
    limit: 'write',
    summary: 'Say an option in other words; its votes stay',
    body: closed({ id: doc('The id of the option.', Id), ...optionFields }),
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
      vote: doc(
        'The vote: an option or an answer.',
        closed({
          option_id: optional('The option to vote for.', Id),
          answer_text: optional('The answer in words.', Type.String({ maxLength: limits.pollAnswerLength })),
        }),
      ),
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
    body: closed({ ...queryProperties }),
    reply: Type.Object({ polls: doc('The polls found.', Type.Array(PollSchema)), next: Next }),
  }),
  'POST /polls/{id}/votes': call({
    side: 'CS',
    limit: 'read',
    summary: 'Votes, newest first; `is_answer: true` in the filter gives the answers',
    body: closed({ ...queryProperties }),
    reply: Type.Object({ votes: doc('The votes found.', Type.Array(PollVoteSchema)), next: Next }),
  }),
};

const pollEvent = Type.Object({ poll: doc('The poll as it is now.', PollSchema) });
/** One event may stand for many votes; its type and `vote` are those of the last. */
const voteEvent = Type.Object({
  poll: doc('The poll as it is now.', PollSchema),
  vote: optional('The last of the votes that the event stands for.', PollVoteSchema),
});

export const pollsEvents = {
  'poll.updated': pollEvent,
  'poll.closed': pollEvent,
  'poll.deleted': pollEvent,
  'poll.vote_casted': voteEvent,
  'poll.vote_changed': voteEvent,
  'poll.vote_removed': voteEvent,
  /** The event goes to the voter alone, on all their connections. */
  'notification.poll_own_votes': Type.Object({
    poll_id: doc('The poll.', Id),
    message_id: doc('The message that holds the poll.', Id),
    own_votes: doc('All votes of the user in the poll.', Type.Array(PollVoteSchema)),
  }),
};
