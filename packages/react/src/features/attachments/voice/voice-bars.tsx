import styles from './voice-panel.module.css';
import { toWaveform } from './waveform.ts';

export const timeOf = (seconds: number): string => {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

const count = 40;
const places = Array.from({ length: count }, (_, index) => index);

export type VoiceBarsProps = {
  levels: readonly number[];
  /** Shows only the newest bars, at the end, while they are recorded; else all of them. */
  isLive?: boolean;
  /** The played share, from 0 to 1. */
  played?: number;
};

/** The loudness as bars; hidden from screen readers. */
export function VoiceBars({ levels, isLive = false, played = 1 }: VoiceBarsProps) {
  const shown = isLive ? levels.slice(-count) : toWaveform(levels, count);
  const gap = isLive ? count - shown.length : 0;
  return (
    <span className={styles.bars} aria-hidden="true">
      {places.map((place) => {
        const level = shown[isLive ? place - gap : Math.floor((place * shown.length) / count)] ?? 0;
        const isPlayed = place < played * count;
        return (
          <span
            key={place}
            className={styles.bar}
            data-played={isPlayed || undefined}
            style={{ blockSize: `${Math.round(8 + level * 92)}%` }}
          />
        );
      })}
    </span>
  );
}
