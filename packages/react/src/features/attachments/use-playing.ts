import { type RefObject, useEffect, useReducer, useRef } from 'react';

/** One sound at a time: who starts another does not want both. */
let heard: HTMLMediaElement | undefined;

const speeds: readonly number[] = [1, 1.5, 2];
/** Who likes one sound faster likes the next so too. */
let likedSpeed = 1;

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
  /** Seconds, where they were told. */
  duration: number | undefined;
  /** What `src` names cannot be loaded. */
  onError: () => void;
};

const isLoaded = (audio: HTMLAudioElement): boolean => audio.readyState > 0;

/** The default is what a sound that is loaded anew begins with. */
const setSpeed = (audio: HTMLAudioElement, speed: number): void => {
  audio.defaultPlaybackRate = speed;
  audio.playbackRate = speed;
};

/** What a sound does, by the element that plays it. */
export function usePlaying(
  audio: HTMLAudioElement,
  { src, duration: told, onError }: PlayingOptions,
): Playing {
  const wanted = useRef<number>(undefined);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const known = Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : told;
  const duration = known ?? 0;
  const isPlaying = !audio.paused && !audio.ended;
  useEffect(() => {
    audio.preload = told === undefined ? 'metadata' : 'none';
  }, [audio, told]);
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
      // Nothing is loaded before it is first played: it begins there then. What was wanted before is not wanted any more.
      wanted.current = isLoaded(audio) ? undefined : to;
      if (isLoaded(audio)) audio.currentTime = to;
      else audio.load();
      draw();
    },
    toggle: () => {
      if (isPlaying) audio.pause();
      else audio.play().catch((error: unknown) => (error as Error).name === 'NotSupportedError' && onError());
    },
    nextSpeed: () => {
      likedSpeed = speeds[(speeds.indexOf(audio.defaultPlaybackRate) + 1) % speeds.length] ?? 1;
      setSpeed(audio, likedSpeed);
      draw();
    },
  };
}

type Wanted = RefObject<number | undefined>;
type Events = { wanted: Wanted; draw: () => void; onError: () => void };

/** Draws what the element tells of itself. */
function useEvents(audio: HTMLAudioElement, { wanted, draw, onError }: Events): void {
  const tell = useRef(onError);
  useEffect(() => {
    tell.current = onError;
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
      if (heard !== audio) heard?.pause();
      heard = audio;
      if (audio.currentTime === 0) setSpeed(audio, likedSpeed);
    });
    on(['loadedmetadata', 'play', 'pause', 'ended', 'seeked'], draw);
    on(['error'], () => tell.current());
    return () => over.abort();
  }, [audio, wanted, draw]);
}

/** Gives the element what it plays. A URL that is only newer changes nothing; one in place of what failed goes on there. */
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

/** Draws with every frame while it is heard. */
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
