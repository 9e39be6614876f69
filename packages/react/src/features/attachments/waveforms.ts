import type { Feature } from '@parley/client';
import { barsOf, peaksOf } from './waveform.ts';

const mostKept = 200;

export type Waveforms = {
  /** The bars of a sound, read once for each file; undefined where it cannot be read. */
  of(url: string, src: string): Promise<number[] | undefined>;
};

const decode = async (src: string): Promise<number[] | undefined> => {
  const reply = await fetch(src);
  if (!reply.ok) return undefined;
  const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await reply.arrayBuffer());
  return barsOf(peaksOf(sound.getChannelData(0)));
};

/** The waveforms that were read from files; dropped when the user signs out. */
export const waveforms: Feature<Waveforms> = {
  name: 'waveforms',
  create: ({ resets }) => {
    const decoded = new Map<string, Promise<number[] | undefined>>();
    resets.push(() => decoded.clear());
    return {
      of(url, src) {
        const bars = decoded.get(url) ?? decode(src).catch(() => undefined);
        decoded.delete(url);
        decoded.set(url, bars);
        const [oldest] = decoded.keys();
        if (decoded.size > mostKept && oldest !== undefined) decoded.delete(oldest);
        return bars;
      },
    };
  },
};
