import type { MessageRow } from '../../db/rows.ts';
import type { Tx } from '../../kernel/kernel.ts';
import type { Hydrate } from './hydrate.ts';

export type MessageEvent = { type: string; row: MessageRow; fields?: Record<string, unknown> };

/** An event about a message, with the message as everyone sees it. */
export const publishMessage = async (
  tx: Tx,
  hydrate: Hydrate,
  { type, row, fields }: MessageEvent,
): Promise<void> => {
  const [message] = await hydrate(tx.db, [row]);
  await tx.event({ cid: row.cid, type, fields: { message, ...fields } });
};
