import type { Attachment } from '@parley/client';
import { useEffect, useState } from 'react';
import { barsOf, givenBars, peaksOf } from './waveform.ts';

/** Larger files are not loaded only to draw a waveform. */
const mostBytes = 1_000_000;
const mostKept = 200;

const decoded = new Map<string, Promise<number[] | undefined>>();

const decode = async (src: string): Promise<number[] | undefined> => {
  const reply = await fetch(src);
  if (!reply.ok) return undefined;
  const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(await reply.arrayBuffer());
  return barsOf(peaksOf(sound.getChannelData(0)));
};

const decodeOnce = (url: string, src: string): Promise<number[] | undefined> => {
  const bars = decoded.get(url) ?? decode(src).catch(() => undefined);
  decoded.delete(url);
  decoded.set(url, bars);
  const [oldest] = decoded.keys();
  if (decoded.size > mostKept && oldest !== undefined) decoded.delete(oldest);
  return bars;
};

/** The bars of a sound: given by the sender, or read from a small file; undefined where neither is possible, for a plain bar. */
export function useWaveform(sound: Attachment, src: string | undefined): number[] | undefined {
  const [found, setFound] = useState<{ of: string; bars: number[] | undefined }>();
  const { asset_url: url = '', file_size: size = Number.POSITIVE_INFINITY } = sound;
  const given = givenBars(sound);
  const isRead = given === undefined && size <= mostBytes && src !== undefined;
  useEffect(() => {
    if (!isRead) return;
    let isOver = false;
    // Runs once the list is drawn: a waveform is not worth a dropped frame.
    const timer = setTimeout(() => {
      decodeOnce(url, src).then((bars) => !isOver && setFound({ of: url, bars }));
    }, 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isRead, url, src]);
  return given ?? (found?.of === url ? found.bars : undefined);
}
