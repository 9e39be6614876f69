import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './channel-life.module.css';
import { lateChannelTexts } from './late-texts.ts';

const hour = 3_600_000;

export type MuteDialogProps = {
  onClose: () => void;
  /** Mutes for so many milliseconds; undefined is until it is unmuted. */
  onMute: (ms: number | undefined) => void;
};

export function MuteDialog({ onClose, onMute }: MuteDialogProps) {
  const text = useTexts(lateChannelTexts);
  const choices: [label: string, ms: number | undefined][] = [
    [text('muteHours', { count: 1 }), hour],
    [text('muteHours', { count: 8 }), 8 * hour],
    [text('muteHours', { count: 24 }), 24 * hour],
    [text('muteWeek'), 7 * 24 * hour],
    [text('muteForever'), undefined],
  ];
  const choose = (ms: number | undefined) => {
    onClose();
    onMute(ms);
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={text('muteTitle')}
      description={text('muteHint')}
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
