import { eventSchemas, invalid } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { requireCapability } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import { transientEventJson } from '../../events/event-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { checkCustomSize } from '../../lib/custom.ts';

type EphemeralEvent = { type: string; parent_id?: string } & Record<string, unknown>;
export type Typing = ReturnType<typeof createTypingService>;

const typingTypes = ['typing.start', 'typing.stop'];
const scalars: unknown[] = ['string', 'number', 'integer', 'boolean'];

/** The names include every one under which an event of the server carries a record: clients take those for the server's word, and
 * somebody could rename another person on every screen by an event of their own. */
const reserved = new Set([
  ...['cid', 'channel_id', 'channel_type', 'created_at', 'seq', 'connection_id'],
  ...Object.values(eventSchemas).flatMap(({ properties }) =>
    Object.entries(properties)
      .filter(([, schema]) => !scalars.includes(Reflect.get(schema, 'type')))
      .map(([name]) => name),
  ),
]);

/** Events that nothing stores: typing, and the embedding app's own. */
export const createTypingService = (kernel: Kernel, access: Access) => ({
  async send(actor: Actor, cid: string, event: EphemeralEvent): Promise<void> {
    const user = actingUser(actor);
    const place = await access.enter(actor, cid);
    const { type, ...fields } = event;
    if (typingTypes.includes(type)) {
      requireCapability(place, 'typing-events');
      for (const key of Object.keys(fields))
        if (key !== 'parent_id') throw invalid(`event.${key}`, 'is not part of a typing event');
    } else {
      requireCapability(place, 'send-custom-events');
      if (
        type in eventSchemas ||
        /^(message|channel|member|user|reaction|notification|health|connection|poll|live_location_sharing|thread)\./.test(
          type,
        )
      )
        throw invalid('event.type', `${type} is an event of the server`);
      for (const key of Object.keys(fields))
        if (reserved.has(key)) throw invalid(`event.${key}`, `${key} is set by the server`);
      checkCustomSize(fields, 'event');
    }
    const json = transientEventJson(type, cid, kernel.now(), { ...fields, user: user.user });
    kernel.publishTransient({ kind: 'channel', cid, type, json });
  },
});
