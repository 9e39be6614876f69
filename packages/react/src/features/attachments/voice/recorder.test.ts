import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Microphone } from './microphone.ts';
import { createRecorder, mostSeconds } from './recorder.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as number),
};

const open = () => {
  const calls = { released: 0, unplug: () => {}, limit: 0 };
  const microphone: Microphone = async (onEnd) => {
    calls.unplug = onEnd;
    const release = () => void calls.released++;
    const finish = async () => {
      release();
      return new Blob(['sound'], { type: 'audio/webm' });
    };
    const nothing = () => {};
    return {
      mimeType: 'audio/webm',
      level: () => 0.5,
      pause: nothing,
      resume: nothing,
      finish,
      stop: release,
    };
  };
  const recorder = createRecorder({ microphone, clock, onLimit: () => void calls.limit++ });
  return { calls, recorder };
};

test('A1 pauses do not count; the clip knows its length and waveform, and the microphone is free', async () => {
  const { calls, recorder } = open();
  await recorder.start();
  await vi.advanceTimersByTimeAsync(2000);
  recorder.pause();
  await vi.advanceTimersByTimeAsync(5000);
  recorder.resume();
  await vi.advanceTimersByTimeAsync(1000);
  const clip = await recorder.finish();

  expect(clip).toMatchObject({ seconds: 3, mimeType: 'audio/webm' });
  expect(clip?.waveform.length).toBeGreaterThan(50);
  expect([calls.released, recorder.state.get().kind]).toEqual([1, 'ready']);
});

test('A1 a recording ends by itself at its limit, and when the microphone goes away', async () => {
  const { calls, recorder } = open();
  await recorder.start();
  await vi.advanceTimersByTimeAsync(mostSeconds * 1000 + 100);
  expect([recorder.state.get().kind, calls.released, calls.limit]).toEqual(['ready', 1, 1]);

  recorder.discard();
  await recorder.start();
  await vi.advanceTimersByTimeAsync(500);
  calls.unplug();
  await vi.advanceTimersByTimeAsync(0);
  expect([recorder.state.get().kind, calls.released]).toEqual(['ready', 2]);
});

test('A1 discarding while the microphone is asked for or records frees it', async () => {
  const { calls, recorder } = open();
  const starting = recorder.start();
  recorder.discard();
  await starting;
  expect([recorder.state.get().kind, calls.released]).toEqual(['idle', 1]);

  await recorder.start();
  recorder.discard();
  expect([recorder.state.get().kind, calls.released, recorder.meter.get().levels]).toEqual(['idle', 2, []]);
});

test('A1 a refusal is reported and leaves nothing open', async () => {
  const refused = new DOMException('no', 'NotAllowedError');
  const recorder = createRecorder({ microphone: () => Promise.reject(refused), clock });

  await expect(recorder.start()).rejects.toBe(refused);
  expect(recorder.state.get().kind).toBe('idle');
});
