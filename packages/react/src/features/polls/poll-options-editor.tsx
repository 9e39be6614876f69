import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClose } from '../../ui/icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { OptionRow } from './form.ts';
import { noticeText } from './notice-text.ts';
import styles from './poll-dialog.module.css';
import { pollTexts } from './texts.ts';
import { type Sorting, useSorting } from './use-sorting.ts';

type Props = {
  rows: readonly OptionRow[];
  notices: ReadonlyMap<string, string>;
  onType: (id: string, text: string) => void;
  onRemove: (id: string) => void;
  onMove: (id: string, to: number) => void;
};

/** The options while they are written: each can be dragged, moved by the arrow keys of its handle, or removed. */
export function PollOptionsEditor(props: Props) {
  const text = useTexts(pollTexts);
  const { rows, onMove } = props;
  const [said, setSaid] = useState('');
  const isSpare = (index: number) => index === rows.length - 1 && rows[index]?.text === '';
  const written = rows.filter((_, index) => !isSpare(index)).map(({ id }) => id);
  const sorting = useSorting(written, (id, to) => {
    const at = Math.max(0, Math.min(to, written.length - 1));
    const moved = rows.find((row) => row.id === id);
    if (written.indexOf(id) !== at && moved)
      setSaid(text('moved', { text: moved.text, n: at + 1, all: written.length }));
    onMove(id, to);
  });
  return (
    <fieldset className={styles.options}>
      <legend className={styles.legend}>{text('options')}</legend>
      <ul className={styles.rows}>
        {rows.map((row, index) => (
          <Row key={row.id} {...props} row={row} index={index} isSpare={isSpare(index)} sorting={sorting} />
        ))}
      </ul>
      <p role="status" className={styles.hidden}>
        {said}
      </p>
    </fieldset>
  );
}

type RowProps = Props & { row: OptionRow; index: number; isSpare: boolean; sorting: Sorting };

function Row({ row, index, isSpare, sorting, notices, onType, onRemove }: RowProps) {
  const text = useTexts(pollTexts);
  const label = text('option', { n: index + 1 });
  const name = row.text.trim() || label;
  return (
    <li
      ref={sorting.rowRef(row.id)}
      className={styles.row}
      data-held={sorting.held === row.id || undefined}
      data-spare={isSpare || undefined}
    >
      <button
        type="button"
        className={styles.handle}
        aria-label={text('moveOption', { text: name })}
        disabled={isSpare}
        {...sorting.handleProps(row.id, index)}
      >
        <svg width="14" height="20" viewBox="0 0 14 20" fill="currentColor" aria-hidden="true">
          {[5, 10, 15].flatMap((y) => [4, 10].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.4" />))}
        </svg>
      </button>
      <TextField
        className={styles.grow}
        label={label}
        hideLabel
        placeholder={isSpare ? text('addOption') : label}
        value={row.text}
        maxLength={255}
        error={noticeText(notices.get(row.id), text)}
        onChange={(text) => onType(row.id, text)}
      />
      <IconButton
        label={text('removeOption', { text: name })}
        tooltip="none"
        size="s"
        disabled={isSpare}
        onClick={() => onRemove(row.id)}
      >
        <IconClose size={16} />
      </IconButton>
    </li>
  );
}
