import type { BusEvent } from './bus.ts';

/** Users whose own events may be lost, which no log holds. */
export type LostUsers = string[] | 'all';

/** The use of limits that hold for all servers together. */
export type LimitNews = {
  /** Budgets of which the sender was granted calls; `calls` is how many all servers were granted. */
  spent: { key: string; most: number; windowMs: number; calls: number; ageMs: number }[];
  /** Budgets of which nothing is left: servers give back what they do not use. */
  wanted: string[];
  /** Failed sign-ins at the sender, by address. */
  failed: [address: string, count: number][];
};

/** The messages that servers send each other. */
export type Outgoing =
  /** `at` is when it was sent, by the clock of the database. */
  | { kind: 'event'; event: BusEvent; at?: number }
  /** An event of a log that is too long to be sent: the receiver reads it. */
  | { kind: 'logged'; cid: string; seq: number }
  /** A text that is too long to be sent: the receiver reads the row. One that is for a single server is removed by it: a caller whose
   * long-poll is relayed can make many. */
  | { kind: 'stored'; id: number; to?: string }
  /** A sign of life, with the last numbers of the channels that the sender published to a moment ago. */
  | { kind: 'beat'; seqs: [cid: string, seq: number][] }
  /** The sender has started, or its link is there again, and asks who is there; the answer names it. `lost` are the users of whom
   * events may not have been sent. */
  | { kind: 'hello'; lost?: LostUsers }
  | { kind: 'welcome'; to: string }
  | { kind: 'leaving' }
  /** All users who are online on the sender, in several texts: together they replace what was known. */
  | { kind: 'present'; userIds: string[]; isFirst: boolean; isLast: boolean }
  | { kind: 'online'; userIds: string[] }
  | { kind: 'offline'; userIds: string[] }
  | ({ kind: 'limits' } & LimitNews)
  /** A call of a connection that another server holds, and its answer. */
  | { kind: 'ask'; to: string; id: string; call: string; args: unknown }
  | { kind: 'answer'; to: string; id: string; result?: unknown; error?: string };

/** The same with the id of its sender. */
export type LinkMessage = Outgoing & { from: string };

/** JSON has no raw tab: what stands behind one is the text of an event, which is not parsed on the way. */
const separator = '\t';

const withoutJson = (event: BusEvent): { head: object; json: string } => {
  if (event.kind === 'stale') return { head: event, json: '' };
  const { json, ...head } = event;
  return { head, json };
};

export const writeLinkText = (from: string, message: Outgoing): string => {
  if (message.kind !== 'event') return JSON.stringify({ from, ...message });
  const { head, json } = withoutJson(message.event);
  return `${JSON.stringify({ from, ...message, event: head })}${separator}${json}`;
};

export const readLinkText = (text: string): LinkMessage => {
  const end = text.indexOf(separator);
  const message: LinkMessage = JSON.parse(end === -1 ? text : text.slice(0, end));
  if (end === -1 || message.kind !== 'event' || message.event.kind === 'stale') return message;
  return { ...message, event: { ...message.event, json: text.slice(end + 1) } };
};
