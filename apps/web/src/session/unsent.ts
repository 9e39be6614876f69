import type { ParleyClient } from '@parley/client';

const stepMs = 50;

/** The number of messages that are not sent yet. Those that are on their way get a moment to arrive. */
export const countUnsent = async (client: ParleyClient, mostMs: number): Promise<number> => {
  const { keptMessages } = await import('@parley/client/messages');
  const kept = client.feature(keptMessages);
  for (let ms = 0; ms < mostMs && kept.waiting() > 0; ms += stepMs)
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  return kept.waiting();
};

/** Call it before the session ends: another tab of the same person would take over what this one leaves, and send it. */
export const discardUnsent = async (client: ParleyClient): Promise<void> => {
  const { keptMessages } = await import('@parley/client/messages');
  client.feature(keptMessages).discardAll();
};
