import type { EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';

type TypingEvent = EventOf<'typing.start' | 'typing.stop'>;

const started = (state: ConfirmedChannel, { user, parent_id }: TypingEvent): ConfirmedChannel => {
  if (user.id === state.ownId) return state;
  if (parent_id === undefined) {
    if (state.typing.some(({ id }) => id === user.id)) return state;
    return { ...state, typing: [...state.typing, user] };
  }
  if (state.threadTyping.some((typer) => typer.user.id === user.id && typer.parentId === parent_id))
    return state;
  return { ...state, threadTyping: [...state.threadTyping, { user, parentId: parent_id }] };
};

const stopped = (state: ConfirmedChannel, { user, parent_id }: TypingEvent): ConfirmedChannel =>
  parent_id === undefined
    ? { ...state, typing: state.typing.filter(({ id }) => id !== user.id) }
    : {
        ...state,
        threadTyping: state.threadTyping.filter(
          (typer) => typer.user.id !== user.id || typer.parentId !== parent_id,
        ),
      };

export const typingReducers = { 'typing.start': started, 'typing.stop': stopped } satisfies Reducers;
