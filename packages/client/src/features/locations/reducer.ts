import type { SharedLocation } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import { mapCarriers } from '../messages/carriers.ts';

/** Moves locations where they are shown. A snapshot may hold a later place than the event: it stays. */
const moveAll = (state: ConfirmedChannel, moved: readonly SharedLocation[]): ConfirmedChannel => {
  const of = (messageId: string) => moved.find(({ message_id }) => message_id === messageId);
  return mapCarriers(state, {
    isIt: ({ id, shared_location: known }) => {
      const next = of(id);
      return known !== undefined && next !== undefined && next.updated_at > known.updated_at;
    },
    change: (message) => ({ ...message, shared_location: of(message.id) }),
  });
};

const moveOne = (state: ConfirmedChannel, event: { shared_location: SharedLocation }) =>
  moveAll(state, [event.shared_location]);

export const locationsReducers = {
  'live_location_sharing.started': moveOne,
  'live_location_sharing.updated': (state, { shared_locations }) => moveAll(state, shared_locations),
  'live_location_sharing.stopped': moveOne,
} satisfies Reducers;
