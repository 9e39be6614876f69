import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { closed, Next, queryProperties } from '../schema.ts';
import { MessageSchema } from './message-record.ts';

const snippet = Type.Object({
  text: doc('Plain text around the first match; never HTML.', Type.String()),
  matches: doc(
    'Where in the text the matches are.',
    Type.Array(
      Type.Object({
        start: doc('The first UTF-16 unit of the match.', Type.Integer()),
        end: doc('The UTF-16 unit after the match.', Type.Integer()),
      }),
    ),
  ),
});
export interface Snippet extends Static<typeof snippet> {}
const SnippetSchema = record<Snippet>('Snippet', snippet);

export const searchCalls = {
  'POST /search': call({
    side: 'CS',
    limit: 'read',
    summary: 'Messages by their words and by filters, best first, in channels that the caller may search',
    body: closed({
      query: optional('The words to search for.', Type.String({ maxLength: limits.searchLength })),
      ...queryProperties,
    }),
    reply: Type.Object({
      results: doc(
        'The messages found, best first.',
        Type.Array(
          Type.Object({
            message: doc('The message that matches.', MessageSchema),
            snippet: doc('The part of its text that matches.', SnippetSchema),
          }),
        ),
      ),
      next: Next,
    }),
  }),
};
