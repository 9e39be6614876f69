import { loudness } from './waveform.ts';

/** An open microphone. Recording goes on until `finish` or `stop`. */
export type Capture = {
  mimeType: string;
  /** The loudness now, from 0 to 1. */
  level(): number;
  pause(): void;
  resume(): void;
  /** All that was recorded; the microphone is free afterwards. */
  finish(): Promise<Blob>;
  stop(): void;
};

/** Opens the microphone; `onEnd` is called when it is disconnected. */
export type Microphone = (onEnd: () => void) => Promise<Capture>;

/** The first type that the browser can write. Opus in WebM everywhere but in Safari, which writes MP4. */
const formats = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus', 'audio/webm'];
const bitsPerSecond = 48_000;

const createMeter = (stream: MediaStream) => {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const wave = new Float32Array(analyser.fftSize);
  // Some browsers suspend the context until it is resumed.
  void context.resume().catch(() => undefined);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(wave);
      return loudness(wave);
    },
    close: () => void context.close().catch(() => undefined),
  };
};

const record = (stream: MediaStream, onEnd: () => void): Capture => {
  const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format)) ?? '';
  const recorder = new MediaRecorder(stream, {
    ...(mimeType && { mimeType }),
    audioBitsPerSecond: bitsPerSecond,
  });
  const meter = createMeter(stream);
  const pieces: Blob[] = [];
  const type = () => (recorder.mimeType || mimeType).split(';')[0] ?? '';
  recorder.ondataavailable = ({ data }) => void pieces.push(data);
  const release = () => {
    for (const track of stream.getTracks()) {
      track.onended = null;
      track.stop();
    }
    meter.close();
  };
  const stopped = new Promise<Blob>((resolve) => {
    recorder.onstop = () => {
      release();
      resolve(new Blob(pieces, { type: type() }));
    };
  });
  recorder.onerror = onEnd;
  for (const track of stream.getTracks()) track.onended = onEnd;
  // One piece a second: the recording before a failure is not lost with it.
  recorder.start(1000);
  return {
    get mimeType() {
      return type();
    },
    level: meter.level,
    pause: () => recorder.state === 'recording' && recorder.pause(),
    resume: () => recorder.state === 'paused' && recorder.resume(),
    finish: () => {
      if (recorder.state !== 'inactive') recorder.stop();
      return stopped;
    },
    stop: () => {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    },
  };
};

export const browserMicrophone: Microphone = async (onEnd) => {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  try {
    return record(stream, onEnd);
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    throw error;
  }
};
