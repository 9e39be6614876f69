import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { closed, Next, queryProperties } from '../schema.ts';
import { MessageSchema } from './messages.ts';

/** Plain text around the first match, and where in it the matches are, in UTF-16 units. Never HTML. */
const SnippetSchema = Type.Object({
  text: Type.String(),
  matches: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() })),
});
export type Snippet = Static<typeof SnippetSchema>;

export const searchCalls = {
  'POST /search': call({
    side: 'CS',
    limit: 'read',
    summary: 'Messages by their words and by filters, best first, in channels that the caller may search',
    body: closed({
      query: Type.Optional(Type.String({ maxLength: limits.searchLength })),
      ...queryProperties,
    }),
    reply: Type.Object({
      results: Type.Array(Type.Object({ message: MessageSchema, snippet: SnippetSchema })),
      next: Next,
    }),
  }),
};
