import type { ParleyClient } from '@parley/client';
import { type Box, createBox } from '../../../chat/readables.ts';

const boxes = new WeakMap<ParleyClient, Box<ReadonlySet<string>>>();

/** In which drafts a voice message is being recorded, or waits to be sent. */
export const openRecordings = (client: ParleyClient): Box<ReadonlySet<string>> => {
  const box = boxes.get(client) ?? createBox<ReadonlySet<string>>(new Set());
  boxes.set(client, box);
  return box;
};

export const openRecording = (client: ParleyClient, key: string): void => {
  const box = openRecordings(client);
  box.set(new Set([...box.get(), key]));
};

export const closeRecording = (client: ParleyClient, key: string): void => {
  const box = openRecordings(client);
  box.set(new Set([...box.get()].filter((other) => other !== key)));
};
