import type { Kernel } from '../../kernel/kernel.ts';

type Fields = Record<string, unknown>;
/** `read` is asked for with the totals. */
type Notice = { type: string; read(): Fields | Promise<Fields>; cid?: string };

export type Notices = (userId: string, notice: Notice) => void;

/**
 * Publishes notifications that carry a user's totals, one count at a time for each user: totals that were counted
 * earlier and published later would stay on the screen. Notifications that come while one count runs share the next.
 */
export const createNotices = (kernel: Kernel, count: (userId: string) => Promise<Fields>): Notices => {
  const waiting = new Map<string, Notice[]>();
  const failed = (error: unknown): Fields => {
    kernel.log.warn({ err: error }, 'what a notification says could not be read');
    return {};
  };
  const run = async (userId: string): Promise<void> => {
    for (let due = waiting.get(userId); due && due.length > 0; due = waiting.get(userId)) {
      waiting.set(userId, []);
      // Without the totals the notification still says what changed.
      const totals = await count(userId).catch((error: unknown) => failed(error));
      for (const { type, read, cid } of due)
        try {
          kernel.notify([userId], type, { ...totals, ...(await read()) }, cid);
        } catch (error) {
          failed(error);
        }
    }
    waiting.delete(userId);
  };
  return (userId, notice) => {
    const due = waiting.get(userId);
    waiting.set(userId, [...(due ?? []), notice]);
    if (!due) void run(userId);
  };
};
