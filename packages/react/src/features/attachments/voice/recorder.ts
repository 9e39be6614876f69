import type { Readable } from '@parley/client';
import { type Box, createBox } from '../../../chat/readables.ts';
import type { Capture, Microphone } from './microphone.ts';
import { toWaveform } from './waveform.ts';

export type Clip = { blob: Blob; mimeType: string; seconds: number; waveform: number[] };

export type RecorderState =
  | { kind: 'idle' | 'asking' | 'recording' | 'paused' | 'ending' }
  | { kind: 'ready'; clip: Clip };

export type Meter = { seconds: number; levels: readonly number[] };

type Clock = {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
};
export type RecorderOptions = { microphone: Microphone; clock: Clock; onLimit?: () => void };

export type Recorder = {
  state: Readable<RecorderState>;
  /** The time and the levels; they change many times a second. */
  meter: Readable<Meter>;
  /** Rejects with the reason why the microphone cannot be used. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Ends the recording and frees the microphone at once; undefined when nothing was recorded. */
  finish(): Promise<Clip | undefined>;
  /** Discards the recording and frees the microphone at once. */
  discard(): void;
};

export const mostSeconds = 600;
const stepMs = 50;
const silent: Meter = { seconds: 0, levels: [] };

/** Counts the recorded time, without the pauses, and the loudness. */
const createTicker = (clock: Clock, onStep: () => void) => {
  const meter = createBox<Meter>(silent);
  let timer: unknown;
  let before = 0;
  let since: number | undefined;
  const elapsed = () => before + (since === undefined ? 0 : clock.now() - since);
  const wait = () => {
    timer = clock.setTimeout(() => {
      wait();
      onStep();
    }, stepMs);
  };
  return {
    meter,
    seconds: () => elapsed() / 1000,
    add: (level: number) => meter.set({ seconds: elapsed() / 1000, levels: [...meter.get().levels, level] }),
    run: () => {
      since = clock.now();
      wait();
    },
    halt: () => {
      clock.clearTimeout(timer);
      before = elapsed();
      since = undefined;
    },
    clear: () => {
      before = 0;
      meter.set(silent);
    },
  };
};

type Session = {
  state: Box<RecorderState>;
  ticker: ReturnType<typeof createTicker>;
  capture: Capture | undefined;
  /** Grows with each start and end: results of an older recording are ignored. */
  turn: number;
};

const discard = (session: Session): void => {
  const { state, ticker, capture } = session;
  ticker.halt();
  ticker.clear();
  session.turn++;
  session.capture = undefined;
  capture?.stop();
  state.set({ kind: 'idle' });
};

const start = async (session: Session, microphone: Microphone): Promise<void> => {
  const { state, ticker } = session;
  if (state.get().kind !== 'idle') return;
  state.set({ kind: 'asking' });
  const mine = ++session.turn;
  const isOver = () => mine !== session.turn;
  try {
    const capture = await microphone(() => void (isOver() || finish(session)));
    if (isOver()) return capture.stop();
    session.capture = capture;
    ticker.run();
    state.set({ kind: 'recording' });
  } catch (error) {
    if (isOver()) return;
    state.set({ kind: 'idle' });
    throw error;
  }
};

const finish = async (session: Session): Promise<Clip | undefined> => {
  const { state, ticker, capture, turn } = session;
  const now = state.get();
  if (now.kind === 'ready') return now.clip;
  if (!capture || (now.kind !== 'recording' && now.kind !== 'paused')) return undefined;
  ticker.halt();
  state.set({ kind: 'ending' });
  const { mimeType } = capture;
  const blob = await capture.finish();
  if (turn !== session.turn) return undefined;
  session.capture = undefined;
  if (blob.size === 0) return void discard(session);
  const waveform = toWaveform(ticker.meter.get().levels);
  const clip = { blob, mimeType, seconds: ticker.seconds(), waveform };
  state.set({ kind: 'ready', clip });
  return clip;
};

/** One voice message from the first sound to the clip. */
export const createRecorder = ({ microphone, clock, onLimit }: RecorderOptions): Recorder => {
  const state = createBox<RecorderState>({ kind: 'idle' });
  const ticker = createTicker(clock, () => {
    ticker.add(session.capture?.level() ?? 0);
    if (ticker.seconds() < mostSeconds) return;
    onLimit?.();
    void finish(session);
  });
  const session: Session = { state, ticker, capture: undefined, turn: 0 };
  return {
    state,
    meter: ticker.meter,
    start: () => start(session, microphone),
    finish: () => finish(session),
    discard: () => discard(session),
    pause() {
      if (state.get().kind !== 'recording') return;
      ticker.halt();
      session.capture?.pause();
      state.set({ kind: 'paused' });
    },
    resume() {
      if (state.get().kind !== 'paused') return;
      session.capture?.resume();
      ticker.run();
      state.set({ kind: 'recording' });
    },
  };
};
