import type { Feature } from '@parley/client';
import { type RefObject, useEffect, useReducer, useRef } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';

const speeds: readonly number[] = [1, 1.5, 2];

type Playback = {
  /** The sound that plays: the start of another pauses it. */
  current: HTMLMediaElement | undefined;
  /** The speed that was chosen last is that of the next sound as well. */
  speed: number;
};

/** The playback of all sounds; it stops when the user signs out, and the next one begins at normal speed. */
export const playback: Feature<Playback> = {
  name: 'playback',
  create: ({ resets }) => {
    const all: Playback = { current: undefined, speed: 1 };
    resets.push(() => {
      all.current?.pause();
      Object.assign(all, { current: undefined, speed: 1 });
    });
    return all;
  },
};

export type Playing = {
  isPlaying: boolean;
  at: number;
  duration: number;
  speed: number;
  toggle: () => void;
  seek: (at: number) => void;
  nextSpeed: () => void;
};

export type PlayingOptions = {
  src: string | undefined;
  /** Seconds, as far as the attachment gives them. */
  duration: number | undefined;
  /** Called when `src` cannot be loaded. */
  onError: () => void;
};

const isLoaded = (audio: HTMLAudioElement): boolean => audio.readyState > 0;

/** A sound that is loaded anew begins with the default. */
const setSpeed = (audio: HTMLAudioElement, speed: number): void => {
  audio.defaultPlaybackRate = speed;
  audio.playbackRate = speed;
};

/** The state of a sound and the ways to control it, by the element that plays it. */
export function usePlaying(
  audio: HTMLAudioElement,
  { src, duration: givenDuration, onError }: PlayingOptions,
): Playing {
  const all = useFeature(playback);
  const wanted = useRef<number>(undefined);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const seconds = Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : givenDuration;
  const duration = seconds ?? 0;
  const isPlaying = !audio.paused && !audio.ended;
  useEffect(() => {
    audio.preload = givenDuration === undefined ? 'metadata' : 'none';
  }, [audio, givenDuration]);
  useFrames(isPlaying, draw);
  useEvents(audio, { all, wanted, draw, onError });
  useSource(audio, { wanted, src });
  return {
    isPlaying,
    at: wanted.current ?? audio.currentTime,
    duration,
    speed: audio.defaultPlaybackRate,
    seek: (at) => {
      const to = Math.min(Math.max(0, at), duration);
      // Nothing is loaded before it is first played: it begins there then. A position that was wanted before is replaced.
      wanted.current = isLoaded(audio) ? undefined : to;
      if (isLoaded(audio)) audio.currentTime = to;
      else audio.load();
      draw();
    },
    toggle: () => {
      if (isPlaying) audio.pause();
      else audio.play().catch((error: Error) => error.name === 'NotSupportedError' && onError());
    },
    nextSpeed: () => {
      all.speed = speeds[(speeds.indexOf(audio.defaultPlaybackRate) + 1) % speeds.length] ?? 1;
      setSpeed(audio, all.speed);
      draw();
    },
  };
}

type Wanted = RefObject<number | undefined>;
type Events = { all: Playback; wanted: Wanted; draw: () => void; onError: () => void };

/** Draws again at the events of the element. */
function useEvents(audio: HTMLAudioElement, { all, wanted, draw, onError }: Events): void {
  const latestOnError = useRef(onError);
  useEffect(() => {
    latestOnError.current = onError;
  });
  useEffect(() => {
    const over = new AbortController();
    const on = (names: readonly string[], listener: () => void) => {
      for (const name of names) audio.addEventListener(name, listener, { signal: over.signal });
    };
    on(['loadedmetadata'], () => {
      if (wanted.current !== undefined) audio.currentTime = wanted.current;
      wanted.current = undefined;
    });
    on(['play'], () => {
      if (all.current !== audio) all.current?.pause();
      all.current = audio;
      if (audio.currentTime === 0) setSpeed(audio, all.speed);
    });
    on(['loadedmetadata', 'play', 'pause', 'ended', 'seeked'], draw);
    on(['error'], () => latestOnError.current());
    return () => over.abort();
  }, [audio, all, wanted, draw]);
}

/** Sets the source of the element. A newer URL changes nothing; one that replaces a failed URL continues at the same position. */
function useSource(
  audio: HTMLAudioElement,
  { wanted, src }: { wanted: Wanted; src: string | undefined },
): void {
  useEffect(() => {
    const hasSource = audio.hasAttribute('src') && audio.error === null;
    if (src === undefined || hasSource) return;
    const { currentTime, paused } = audio;
    if (currentTime > 0) wanted.current = currentTime;
    audio.src = src;
    if (!paused) audio.play().catch(() => undefined);
  }, [audio, wanted, src]);
}

/** Draws with every frame while the sound plays. */
function useFrames(isPlaying: boolean, draw: () => void): void {
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function step() {
      draw();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, draw]);
}
