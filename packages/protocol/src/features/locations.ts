import { Type } from 'typebox';
import { call } from '../call.ts';
import { texts } from '../errors.ts';
import { closed, Id, Time } from '../schema.ts';
import { Latitude, Longitude, SharedLocationSchema } from './location-record.ts';

const refusal = texts.liveLocationServerSide;
const active = { active_live_locations: Type.Array(SharedLocationSchema) };

export const locationsCalls = {
  'PUT /users/live_locations': call({
    side: 'C',
    refusal,
    limit: 'event',
    summary: 'Move the own live location, from the device that shares it; `end_at` now stops it, from any',
    body: closed({
      message_id: Id,
      created_by_device_id: Id,
      latitude: Type.Optional(Latitude),
      longitude: Type.Optional(Longitude),
      end_at: Type.Optional(Time),
    }),
    reply: Type.Object({ shared_location: SharedLocationSchema }),
  }),
  'GET /users/live_locations': call({
    side: 'C',
    refusal,
    limit: 'read',
    summary: 'What the caller shares live at the moment, and the time by the clock of the server',
    reply: Type.Object({ ...active, now: Time }),
  }),
};

const one = Type.Object({ shared_location: SharedLocationSchema });

export const locationsEvents = {
  'live_location_sharing.started': one,
  /** All that moved in the channel since the last one. */
  'live_location_sharing.updated': Type.Object({ shared_locations: Type.Array(SharedLocationSchema) }),
  'live_location_sharing.stopped': one,
  /** To the own user alone, when a share begins, ends or is given another end. */
  'notification.live_locations_updated': Type.Object(active),
};
