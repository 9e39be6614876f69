import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { AvatarStack } from '../../ui/avatar.tsx';
import { IconCheck, IconChecks } from '../../ui/icons.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { MessageMarks } from '../messages/message-item-props.ts';
import styles from './read-marks.module.css';
import { readTexts } from './texts.ts';

export type ReadMarksProps = MessageMarks;
export type ReadState = MessageMarks['state'];

/** The marks that show whether a message was delivered and read. */
export function ReadMarks({ state, seenBy = [], count }: ReadMarksProps) {
  const text = useTexts(readTexts);
  const format = useFormat();
  if (seenBy.length === 0) {
    const marks = (
      <span className={styles.marks} data-state={state}>
        {state === 'sent' ? <IconCheck size={14} /> : <IconChecks size={15} />}
        {text(state)}
        {count && ` · ${text('seenCount', { count: count.n, all: count.of })}`}
      </span>
    );
    return count ? <Tooltip trigger={marks} text={text('seenCounted')} /> : marks;
  }
  const names = text('seenBy', { names: format.list(seenBy.map((person) => person.name)) });
  const faces = (
    <span className={styles.marks} role="img" aria-label={names}>
      <AvatarStack people={seenBy} />
    </span>
  );
  return <Tooltip trigger={faces} text={names} />;
}
