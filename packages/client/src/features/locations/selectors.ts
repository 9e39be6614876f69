import type { SharedLocation } from '@parley/protocol';
import type { ChannelState } from '../../sync/state.ts';

/** Whether the own user may share a location in the channel. */
export const canShareLocation = ({ capabilities }: ChannelState): boolean =>
  capabilities.has('share-location');

/** Whether a location is live at a time. */
export const isLiveAt = ({ end_at }: Pick<SharedLocation, 'end_at'>, now: number): boolean =>
  end_at !== undefined && Date.parse(end_at) > now;
