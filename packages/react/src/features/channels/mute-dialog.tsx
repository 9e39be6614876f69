import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './channel-life.module.css';
import type { ChannelLifeTexts } from './channel-life-english.ts';

const hour = 3_600_000;

export type MuteDialogProps = {
  onClose: () => void;
  /** For so many milliseconds; undefined is until it is unmuted. */
  onMute: (ms: number | undefined) => void;
  words: ChannelLifeTexts;
};

export function MuteDialog({ onClose, onMute, words }: MuteDialogProps) {
  const choices: [label: string, ms: number | undefined][] = [
    [words.muteHour, hour],
    [words.muteHours.replace('{n}', '8'), 8 * hour],
    [words.muteHours.replace('{n}', '24'), 24 * hour],
    [words.muteWeek, 7 * 24 * hour],
    [words.muteForever, undefined],
  ];
  const choose = (ms: number | undefined) => {
    onClose();
    onMute(ms);
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={words.muteTitle}
      description={words.muteHint}
    >
      <div className={styles.choices}>
        {choices.map(([label, ms]) => (
          <Button key={label} wide onClick={() => choose(ms)}>
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
