import type { Attachment } from '@parley/client';
import { useEffect, useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';
import { givenBars } from './waveform.ts';
import { waveforms } from './waveforms.ts';

/** Larger files are not loaded only to draw a waveform. */
const mostBytes = 1_000_000;

/** The bars of a sound: given by the sender, or read from a small file; undefined where neither is possible, for a plain bar. */
export function useWaveform(sound: Attachment, src: string | undefined): number[] | undefined {
  const read = useFeature(waveforms);
  const [found, setFound] = useState<{ of: string; bars: number[] | undefined }>();
  const { asset_url: url = '', file_size: size = Number.POSITIVE_INFINITY } = sound;
  const given = givenBars(sound);
  const isRead = given === undefined && size <= mostBytes && src !== undefined;
  useEffect(() => {
    if (!isRead) return;
    let isOver = false;
    // Runs once the list is drawn: a waveform is not worth a dropped frame.
    const timer = setTimeout(() => {
      read.of(url, src).then((bars) => !isOver && setFound({ of: url, bars }));
    }, 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [read, isRead, url, src]);
  return given ?? (found?.of === url ? found.bars : undefined);
}
