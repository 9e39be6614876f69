import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Effect,
  initialState,
  type MachineConfig,
  type MachineEvent,
  type MachineState,
  transition,
} from './machine.ts';

const config: MachineConfig = { wsTimeout: 6000, fallback: true, hasWebSocket: true };
const clock = { now: 0, random: 0.5 };
const connect: MachineEvent = { type: 'connect', isOnline: true };

const play = (events: ((state: MachineState) => MachineEvent)[], settings = config) => {
  let state: MachineState = initialState;
  const effects: Effect[] = [];
  for (const event of events) {
    const [next, more] = transition(state, event(state), settings);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
};
const lost =
  (cause: 'blocked' | 'dropped' | 'going-away' | 'token-expired' | 'refused') =>
  (state: MachineState): MachineEvent => ({
    type: 'lost',
    generation: state.generation,
    cause,
    ...clock,
  });
const hello = (state: MachineState): MachineEvent => ({
  type: 'hello',
  generation: state.generation,
  connectionId: 'c',
  transport: state.status === 'connecting' ? state.transport : 'ws',
});
const timer = (): MachineEvent => ({ type: 'timer', ...clock });
const opens = (effects: Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'open' ? [effect.transport] : []));

test('C7 a drop waits with back-off, and each failure waits longer', () => {
  const { state: first } = play([() => connect, hello, lost('dropped')]);
  const { state: second } = play([() => connect, hello, lost('dropped'), timer, lost('dropped')]);

  expect(first).toMatchObject({ status: 'waiting', attempt: 1, retryAt: 650 });
  expect(second).toMatchObject({ status: 'waiting', attempt: 2 });
  expect(second.status === 'waiting' && second.retryAt).toBeGreaterThanOrEqual(650);
});

const toPolling = [() => connect, lost('blocked'), timer, lost('blocked'), hello];

test('C8 two sockets that never opened lead to long-polling, which stays until it moves to a socket by itself', () => {
  const polling = play(toPolling);
  expect(opens(polling.effects)).toEqual(['ws', 'ws', 'longpoll']);
  expect(play([...toPolling, timer]).state).toEqual(polling.state);

  const moved = play([...toPolling, hello]);
  expect(moved.state).toMatchObject({ status: 'online', transport: 'ws' });
  expect(opens(moved.effects)).toEqual(['ws', 'ws', 'longpoll']);
});

test('C8 a long-poll that was lost comes back as one; where that fails too, a socket has its turn', () => {
  const back = play([...toPolling, lost('dropped'), timer]);
  expect(opens(back.effects).at(-1)).toBe('longpoll');

  const failed = play([...toPolling, lost('dropped'), timer, lost('dropped'), timer]);
  expect(opens(failed.effects).at(-1)).toBe('ws');
});

test('C8 the time of a transport counts from its start, not from the question for a token', () => {
  const asking = play([() => connect]);
  const opening = play([() => connect, () => ({ type: 'opening' })]);

  expect(asking.effects.filter(({ type }) => type === 'timer')).toEqual([]);
  expect(opening.effects).toContainEqual({ type: 'timer', ms: 6000 });
});

test('C8 without the fallback only sockets are tried', () => {
  const { effects } = play(
    [() => connect, lost('blocked'), timer, lost('blocked'), timer, lost('blocked'), timer],
    {
      ...config,
      fallback: false,
    },
  );

  expect(opens(effects)).toEqual(['ws', 'ws', 'ws', 'ws']);
});

test('C9 an expired token reloads at once, and after a second failure waits', () => {
  const once = play([() => connect, lost('token-expired')]);
  const twice = play([() => connect, lost('token-expired'), lost('token-expired')]);

  expect(once.state).toMatchObject({ status: 'connecting', reloadsToken: true });
  expect(twice.state).toMatchObject({ status: 'waiting', reloadsToken: true });
});

test('a refusal ends it, and the network coming back does not begin it again', () => {
  const { state } = play([() => connect, lost('refused'), () => ({ type: 'network', isOnline: true })]);

  expect(state).toMatchObject({ status: 'disconnected', reason: 'refused' });
});

const anyEvent: fc.Arbitrary<(state: MachineState) => MachineEvent> = fc.oneof(
  fc.boolean().map((isOnline) => (): MachineEvent => ({ type: 'connect', isOnline })),
  fc.constant((): MachineEvent => ({ type: 'disconnect' })),
  fc.nat(2).map(
    (age) =>
      (state: MachineState): MachineEvent => ({
        type: 'hello',
        generation: state.generation - age,
        connectionId: 'c',
        transport: 'ws',
      }),
  ),
  fc
    .record({
      age: fc.nat(2),
      cause: fc.constantFrom('blocked', 'dropped', 'going-away', 'token-expired', 'refused'),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(
      ({ age, cause, random }) =>
        (state: MachineState): MachineEvent => ({
          type: 'lost',
          generation: state.generation - age,
          cause,
          now: 0,
          random,
        }),
    ),
  fc.constant(timer),
  fc.constant((): MachineEvent => ({ type: 'opening' })),
  fc.boolean().map((isOnline) => (): MachineEvent => ({ type: 'network', isOnline })),
  fc.constant((): MachineEvent => ({ type: 'wake' })),
);
const anyConfig = fc.record({
  wsTimeout: fc.constant(6000),
  fallback: fc.boolean(),
  hasWebSocket: fc.boolean(),
});

/** The world of the driver, reduced to what must hold in it. */
const follow = (
  world: { live: Set<number>; hasTimer: boolean; asksToken: boolean },
  effects: readonly Effect[],
) => {
  for (const effect of effects) {
    if (effect.type === 'open') world.live.add(effect.generation);
    if (effect.type === 'open') world.asksToken = true;
    if (effect.type === 'close') world.live.delete(effect.generation);
    if (effect.type === 'timer') world.hasTimer = true;
    if (effect.type === 'clear-timer') world.hasTimer = false;
    expect(world.live.size).toBeLessThanOrEqual(1);
  }
};

test('C4 C7 whatever happens: one transport at most, online only after hello, no timer after disconnect', () => {
  fc.assert(
    fc.property(anyConfig, fc.array(anyEvent, { maxLength: 60 }), (settings, events) => {
      let state: MachineState = initialState;
      const world = { live: new Set<number>(), hasTimer: false, asksToken: false };
      for (const make of events) {
        const event = make(state);
        // A timer fires only while it runs, and is gone when it has.
        if (event.type === 'timer' && !world.hasTimer) continue;
        if (event.type === 'timer') world.hasTimer = false;
        // The driver asks for a token after each open and then starts the transport, once.
        if (event.type === 'opening' && !(state.status === 'connecting' && world.asksToken)) continue;
        if (event.type === 'opening') world.asksToken = false;
        const before = state;
        const [next, effects] = transition(state, event, settings);
        follow(world, effects);
        state = next;
        const isLive = next.status === 'connecting' || next.status === 'online';
        expect(world.live.has(next.generation) && world.live.size === 1).toBe(isLive);
        if (next.status === 'online' && before.status !== 'online') {
          expect(event).toMatchObject({ type: 'hello', generation: next.generation });
        }
        if (next.status === 'connecting') expect(world.hasTimer).toBe(!world.asksToken);
        if (next.status === 'waiting') expect(world.hasTimer).toBe(true);
        if (next.status === 'disconnected' || next.status === 'offline') expect(world.hasTimer).toBe(false);
        if (before.status === 'online' && 'attempt' in next) expect(next.attempt).toBe(1);
        expect(next.generation).toBeGreaterThanOrEqual(before.generation);
      }
    }),
    { numRuns: 500 },
  );
});
