/** Apart from the calls, because messages hold locations. */
import { type Static, Type } from 'typebox';
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

/** Where somebody is. With `end_at` it is live until then; `end_at` in the past says that it has ended. */
export const SharedLocationSchema = Type.Object({
  message_id: Id,
  cid: Cid,
  user_id: Id,
  latitude: Latitude,
  longitude: Longitude,
  end_at: Type.Optional(Time),
  /** The device that moves it. */
  created_by_device_id: Id,
  created_at: Time,
  updated_at: Time,
});
export type SharedLocation = Static<typeof SharedLocationSchema>;

/** What a caller may say of the location of a new message. */
export const SharedLocationInputSchema = closed({
  latitude: Latitude,
  longitude: Longitude,
  end_at: Type.Optional(Time),
  created_by_device_id: NewId,
});
export type SharedLocationInput = Static<typeof SharedLocationInputSchema>;
