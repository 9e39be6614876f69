import { type RefObject, useEffect, useReducer, useRef } from 'react';

/** The sound that plays: the start of another pauses it. */
let current: HTMLMediaElement | undefined;

const speeds: readonly number[] = [1, 1.5, 2];
/** The speed that was chosen last is that of the next sound as well. */
let chosenSpeed = 1;

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
  const wanted = useRef<number>(undefined);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const seconds = Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : givenDuration;
  const duration = seconds ?? 0;
  const isPlaying = !audio.paused && !audio.ended;
  useEffect(() => {
    audio.preload = givenDuration === undefined ? 'metadata' : 'none';
  }, [audio, givenDuration]);
  useFrames(isPlaying, draw);
  useEvents(audio, { wanted, draw, onError });
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
      chosenSpeed = speeds[(speeds.indexOf(audio.defaultPlaybackRate) + 1) % speeds.length] ?? 1;
      setSpeed(audio, chosenSpeed);
      draw();
    },
  };
}

type Wanted = RefObject<number | undefined>;
type Events = { wanted: Wanted; draw: () => void; onError: () => void };

/** Draws again at the events of the element. */
function useEvents(audio: HTMLAudioElement, { wanted, draw, onError }: Events): void {
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
      if (current !== audio) current?.pause();
      current = audio;
      if (audio.currentTime === 0) setSpeed(audio, chosenSpeed);
    });
    on(['loadedmetadata', 'play', 'pause', 'ended', 'seeked'], draw);
    on(['error'], () => latestOnError.current());
    return () => over.abort();
  }, [audio, wanted, draw]);
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
