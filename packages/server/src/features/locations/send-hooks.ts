import { ParleyError, texts } from '@parley/protocol';
import { requireCapability } from '../../access/place.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { DueJob } from '../../work/due-job.ts';
import type { BeforeSendHook, SendHook } from '../messages/hooks.ts';
import { findMessage } from '../messages/store.ts';
import type { PublishOwn } from './publishing.ts';
import { toSharedLocation } from './record.ts';
import { checkEnd } from './rules.ts';
import { findLocation, insertLocation } from './store.ts';

/** Whether the author may share where they are here; asked before anything is stored. */
export const createLocationCheck =
  ({ db, now }: Kernel): BeforeSendHook =>
  async (actor, place, { id, location }) => {
    if (!location) return;
    requireCapability(place, 'share-location');
    if (location.end_at === undefined) return;
    if (actor.kind === 'server') throw new ParleyError('NotAllowed', texts.liveLocationServerSide);
    try {
      checkEnd(location.end_at, 'message.shared_location.end_at', now());
    } catch (error) {
      // A repeat of what was stored while there was time is answered with it.
      if (!(await findMessage(db, id))) throw error;
    }
  };

export const placeLocation: SendHook = async (tx, { id, cid, user_id }, { location }) => {
  if (!location) return;
  const { end_at, ...where } = location;
  await insertLocation(tx.db, {
    ...where,
    ...{ message_id: id, cid, user_id },
    end_at: end_at === undefined ? null : checkEnd(end_at, 'message.shared_location.end_at', tx.now),
    ended: end_at === undefined,
    ...{ created_at: tx.now, updated_at: tx.now },
  });
};

/** Says that a live one began, after the message that carries it. */
export const createAnnounce =
  (job: DueJob, publishOwn: PublishOwn): SendHook =>
  async (tx, { id, cid, user_id }, { location }) => {
    if (location?.end_at === undefined) return;
    const row = await findLocation(tx.db, id);
    if (!row) return;
    await tx.event({
      cid,
      type: 'live_location_sharing.started',
      fields: { shared_location: toSharedLocation(row) },
    });
    await publishOwn(tx, user_id);
    tx.later(() => job.wake(row.end_at ?? tx.now));
  };
