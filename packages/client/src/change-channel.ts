import type { BodyOf, MessageInput } from '@parley/protocol';
import type { Core } from './core.ts';
import { withSameId } from './same-id.ts';

/** Changes a channel or its members. A message that goes along keeps its id when the call is made again after a lost answer. */
export const changeChannel = (
  core: Core,
  cid: string,
  change: BodyOf<'POST /channels/{type}/{id}'>,
  message?: MessageInput,
) => {
  const call = (body: typeof change) => core.http.call('POST /channels/{type}/{id}', { cid, body });
  if (!message) return call(change);
  return withSameId(core, [cid, change], message, (along) => call({ ...change, message: along }));
};
