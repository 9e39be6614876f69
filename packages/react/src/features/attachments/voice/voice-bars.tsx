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
  /** The newest at the end, as they come; else all of them. */
  isLive?: boolean;
  /** 0 to 1: how much of it was heard. */
  played?: number;
};

/** How loud it is or was; for the eye only. */
export function VoiceBars({ levels, isLive = false, played = 1 }: VoiceBarsProps) {
  const shown = isLive ? levels.slice(-count) : toWaveform(levels, count);
  const gap = isLive ? count - shown.length : 0;
  return (
    <span className={styles.bars} aria-hidden="true">
      {places.map((place) => {
        const level = shown[isLive ? place - gap : Math.floor((place * shown.length) / count)] ?? 0;
        const isHeard = place < played * count;
        return (
          <span
            key={place}
            className={styles.bar}
            data-heard={isHeard || undefined}
            style={{ blockSize: `${Math.round(8 + level * 92)}%` }}
          />
        );
      })}
    </span>
  );
}
