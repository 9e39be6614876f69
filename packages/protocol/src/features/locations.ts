import { Type } from 'typebox';
import { call } from '../call.ts';
import { texts } from '../errors.ts';
import { doc, optional } from '../record.ts';
import { closed, Id, Time } from '../schema.ts';
import { Latitude, Longitude, SharedLocationSchema } from './location-record.ts';

const refusal = texts.liveLocationServerSide;
const active = {
  active_live_locations: doc(
    'The live locations that the user shares now.',
    Type.Array(SharedLocationSchema),
  ),
};

export const locationsCalls = {
  'PUT /users/live_locations': call({
    side: 'C',
    refusal,
    limit: 'event',
    summary: 'Move the own live location, from the device that shares it; `end_at` now stops it, from any',
    body: closed({
      message_id: doc('The message that shares the location.', Id),
      created_by_device_id: doc('The device that sends the update.', Id),
      latitude: optional('The new latitude in degrees.', Latitude),
      longitude: optional('The new longitude in degrees.', Longitude),
      end_at: optional('The new end of the sharing; a time in the past stops it.', Time),
    }),
    reply: Type.Object({ shared_location: doc('The location after the change.', SharedLocationSchema) }),
  }),
  'GET /users/live_locations': call({
    side: 'C',
    refusal,
    limit: 'read',
    summary: 'What the caller shares live at the moment, and the time by the clock of the server',
    reply: Type.Object({ ...active, now: doc('The time by the clock of the server.', Time) }),
  }),
};

const one = Type.Object({
  shared_location: doc('The location that was started or stopped.', SharedLocationSchema),
});

export const locationsEvents = {
  'live_location_sharing.started': one,
  'live_location_sharing.updated': Type.Object({
    shared_locations: doc(
      'All locations of the channel that moved since the last event.',
      Type.Array(SharedLocationSchema),
    ),
  }),
  'live_location_sharing.stopped': one,
  /** The event goes to the own user alone, when a share begins, ends or is given another end. */
  'notification.live_locations_updated': Type.Object({ ...active }),
};
