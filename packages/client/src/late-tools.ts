/** The functions of the entry that the late part needs. They are handed over: an import would take these files out of the entry. */
import { texts } from '@parley/protocol/errors';
import { limits } from '@parley/protocol/limits';
import { checkRef, fromCid } from './cid.ts';
import { stateBody, takeSnapshot, whileHolding } from './features/channels/load.ts';
import { takeOwn } from './features/channels/own.ts';
import { loadBeyond, loadPage, loadWindow, once } from './features/messages/pages.ts';
import { changeOp } from './features/messages/pending.ts';
import { changeThread, findLoaded, mapLoaded } from './features/messages/reducer.ts';
import { isPassing } from './retry.ts';
import { internMember } from './sync/intern.ts';
import { during } from './sync/store.ts';
import { appendPage, endOf, findMessage, isBehind, prependPage, removeMessage } from './sync/timeline.ts';

export const lateTools = {
  ...{ checkRef, fromCid, stateBody, takeSnapshot, whileHolding, membersMissing: texts.membersMissing },
  ...{ internMember, loadBeyond, loadPage, loadWindow, once, during, removeMessage },
  ...{ changeOp, changeThread, findLoaded, mapLoaded },
  ...{ appendPage, endOf, findMessage, isBehind, prependPage, repliesDefault: limits.repliesDefault },
  ...{ isPassing, deliveredPerCall: limits.deliveredPerCall, pinnedShown: limits.pinnedShown },
  ...{ pageMax: limits.pageMax, takeOwn },
};
export type LateTools = typeof lateTools;
