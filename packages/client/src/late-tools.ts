/** The functions of the entry that the late part needs. They are handed over: an import would take these files out of the entry. */
import { limits } from '@parley/protocol/limits';
import { fromCid } from './cid.ts';
import { loadPage, once } from './features/messages/pages.ts';
import { changeThread, mapLoaded } from './features/messages/reducer.ts';
import { internMember } from './sync/intern.ts';
import { internReply } from './sync/snapshot.ts';
import { appendPage, endOf, findMessage, isBehind, prependPage } from './sync/timeline.ts';

export const lateTools = {
  ...{ fromCid, internMember, internReply, loadPage, once, changeThread, mapLoaded },
  ...{ appendPage, endOf, findMessage, isBehind, prependPage, repliesDefault: limits.repliesDefault },
};
export type LateTools = typeof lateTools;
