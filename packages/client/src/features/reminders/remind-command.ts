import { ParleyError } from '@parley/protocol/errors';
import type { ParleyClient } from '../../client.ts';
import { isDeleted } from '../messages/selectors.ts';
import { parseReminder, type ReminderWords } from './parse-when.ts';

/** The place where a command was typed: the message that was being answered, and the thread. */
export type CommandPlace = { cid: string; quotedId?: string | undefined; parentId?: string | undefined };

type Problem = Extract<ReminderWords, { problem: string }>['problem'];
export type RemindPlan =
  | { kind: 'act'; run: () => Promise<unknown>; reply: { text: 'remindSet'; name: string } }
  | { kind: 'refused'; reason: Problem | 'remindNeedsMessage'; name: string };

const mostTries = 10;

/** The messages that a reminder may hang on, the best first. A message has one reminder: the next takes the next. */
const anchorsOf = (client: ParleyClient, { cid, quotedId, parentId }: CommandPlace): string[] => {
  if (quotedId !== undefined) return [quotedId];
  const state = client.channels.state(cid).get();
  const list = parentId === undefined ? state?.messages : state?.threads[parentId]?.messages;
  const said = (list ?? [])
    .filter((message) => message.status === 'sent' && message.type !== 'ephemeral' && !isDeleted(message))
    .map(({ id }) => id)
    .reverse();
  return (parentId === undefined ? said : [...said, parentId]).slice(0, mostTries);
};

const isTaken = (error: unknown): boolean => error instanceof ParleyError && error.name === 'DuplicateId';

const wordsOf = (at: Date): string =>
  at.toLocaleString([], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });

/**
 * `/remind [me] <when> <what>`: a reminder on the message that is being answered, or else on the last one here, with
 * `<what>` as its note. Nothing is sent to anybody.
 */
export const planReminder = (client: ParleyClient, place: CommandPlace, args: string): RemindPlan => {
  const words = parseReminder(args, new Date());
  if ('problem' in words) return { kind: 'refused', reason: words.problem, name: 'remind' };
  const anchors = anchorsOf(client, place);
  if (anchors.length === 0) return { kind: 'refused', reason: 'remindNeedsMessage', name: 'remind' };
  const { at, note } = words;
  const remind_at = at.toISOString();
  const run = async (): Promise<void> => {
    for (const id of anchors) {
      const body = { remind_at, ...(note !== '' && { note }) };
      try {
        await client.http.call('POST /messages/{id}/reminders', { path: { id }, body });
        return;
      } catch (error) {
        if (!isTaken(error)) throw error;
        // The message that was named has one: that is the one to change.
        if (place.quotedId !== undefined || id === anchors.at(-1)) {
          const change = { remind_at, note: note || null };
          await client.http.call('PATCH /messages/{id}/reminders', { path: { id }, body: change });
          return;
        }
      }
    }
  };
  return { kind: 'act', run, reply: { text: 'remindSet', name: wordsOf(at) } };
};
