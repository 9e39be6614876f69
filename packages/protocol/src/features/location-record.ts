/** The record is apart from the calls, because messages hold locations. */
import { type Static, Type } from 'typebox';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, NewId, Time } from '../schema.ts';

export const Latitude = Type.Number({
  minimum: -90,
  maximum: 90,
  errorText: 'must be a number from -90 to 90',
});
export const Longitude = Type.Number({
  minimum: -180,
  maximum: 180,
  errorText: 'must be a number from -180 to 180',
});

const sharedLocation = Type.Object({
  message_id: doc('The message that shares the location.', Id),
  cid: doc('The channel of the message.', Cid),
  user_id: doc('The user who shares the location.', Id),
  latitude: doc('The latitude in degrees.', Latitude),
  longitude: doc('The longitude in degrees.', Longitude),
  end_at: optional('The location is live until this time; a time in the past means that it has ended.', Time),
  created_by_device_id: doc('The device that updates the location.', Id),
  created_at: doc('When the location was first shared.', Time),
  updated_at: doc('When the location last changed.', Time),
});
/** A location in a message; with `end_at` it is live. */
export interface SharedLocation extends Static<typeof sharedLocation> {}
export const SharedLocationSchema = record<SharedLocation>('SharedLocation', sharedLocation);

const sharedLocationInput = closed({
  latitude: doc('The latitude in degrees.', Latitude),
  longitude: doc('The longitude in degrees.', Longitude),
  end_at: optional('Until when to share the location live; left out for a place that stays.', Time),
  created_by_device_id: doc('The device that updates the location.', NewId),
});
/** The fields of the location of a new message. */
export interface SharedLocationInput extends Static<typeof sharedLocationInput> {}
export const SharedLocationInputSchema = record<SharedLocationInput>(
  'SharedLocationInput',
  sharedLocationInput,
);
