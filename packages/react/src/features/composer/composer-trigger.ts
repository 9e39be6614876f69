/** The word being typed that a list could complete; `start` is the index of its sign. */
export type Trigger = { kind: 'mention' | 'command' | 'emoji'; query: string; start: number };

const reach = 64;
const patterns = {
  command: /^\/([a-z0-9_-]*)$/i,
  mention: /(?:^|[\s([{])@([^\s@]*(?: [^\s@]+){0,2} ?)$/u,
  emoji: /(?:^|[\s([{]):([a-z0-9_+-]{2,})$/i,
} as const;

/** Looks back from the caret only as far as a name may reach, so a long text costs no more than a short one. */
export const triggerAt = (text: string, caret: number): Trigger | undefined => {
  const from = Math.max(0, caret - reach);
  const before = text.slice(from, caret);
  for (const kind of ['command', 'emoji', 'mention'] as const) {
    if (kind === 'command' && from > 0) continue;
    const query = patterns[kind].exec(before)?.[1];
    if (query !== undefined) return { kind, query, start: caret - query.length - 1 };
  }
  return undefined;
};

/** The name in `:name:` just closed at the caret. */
export const closedEmoji = (text: string, caret: number): { name: string; start: number } | undefined => {
  const name = /(?:^|[\s([{]):([a-z0-9_+-]{2,}):$/i.exec(text.slice(Math.max(0, caret - reach), caret))?.[1];
  return name === undefined ? undefined : { name, start: caret - name.length - 2 };
};
