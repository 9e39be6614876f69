import { type RefObject, useEffect, useReducer, useRef } from 'react';

/** One sound at a time: who starts another does not want both. */
let heard: HTMLMediaElement | undefined;

const speeds: readonly number[] = [1, 1.5, 2];

export type Playing = {
  element: RefObject<HTMLAudioElement | null>;
  isPlaying: boolean;
  at: number;
  duration: number;
  speed: number;
  toggle: () => void;
  seek: (at: number) => void;
  nextSpeed: () => void;
  /** For the element. */
  onChange: () => void;
  onPlay: () => void;
};

/** What a sound does, by the element that plays it. */
export function usePlaying(known: number | undefined, onError: () => void): Playing {
  const element = useRef<HTMLAudioElement>(null);
  const wanted = useRef<number>(undefined);
  const speed = useRef<number>(1);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const audio = element.current;
  const told = audio?.duration;
  const duration = told !== undefined && Number.isFinite(told) && told > 0 ? told : (known ?? 0);
  const isPlaying = audio !== null && !audio.paused && !audio.ended;
  useFrames(isPlaying, draw);
  const seek = (at: number) => {
    const to = Math.min(Math.max(0, at), duration);
    const isLoaded = audio !== null && audio.readyState > 0;
    // Nothing is loaded before it is first played: it begins there then. What was wanted before is not wanted any more.
    wanted.current = isLoaded ? undefined : to;
    if (isLoaded) audio.currentTime = to;
    else audio?.load();
    draw();
  };
  const apply = () => {
    if (!element.current) return;
    if (wanted.current !== undefined && element.current.readyState > 0) {
      element.current.currentTime = wanted.current;
      wanted.current = undefined;
    }
    element.current.playbackRate = speed.current;
    draw();
  };
  return {
    element,
    isPlaying,
    at: wanted.current ?? audio?.currentTime ?? 0,
    duration,
    speed: speed.current,
    seek,
    toggle: () => {
      if (!audio) return;
      if (isPlaying) audio.pause();
      else audio.play().catch((error: unknown) => (error as Error).name === 'NotSupportedError' && onError());
    },
    nextSpeed: () => {
      const next = (speeds.indexOf(speed.current) + 1) % speeds.length;
      speed.current = speeds[next] ?? 1;
      apply();
    },
    onChange: apply,
    onPlay: () => {
      if (heard !== element.current) heard?.pause();
      heard = element.current ?? undefined;
      apply();
    },
  };
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
