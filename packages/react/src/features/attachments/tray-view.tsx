import { isRunning, type UploadItem } from '@parley/client/attachments';
import { useEffect, useRef, useState } from 'react';
import { useReadable } from '../../chat/use-readable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { DescribeDialog } from './describe-dialog.tsx';
import styles from './tray.module.css';
import type { Tray } from './tray.ts';
import { TrayItem } from './tray-item.tsx';
import { uploadTexts } from './upload-texts.ts';
import { useTraySorting } from './use-tray-sorting.ts';

export type TrayViewProps = {
  tray: Tray;
  /** Called when files were added. */
  onGrown: () => void;
};

/** The files of a message above the field, in the order in which they are sent. */
export function TrayView({ tray, onGrown }: TrayViewProps) {
  const text = useTexts(uploadTexts);
  const { items } = useReadable(tray);
  const { said, announce } = useAnnouncements();
  const [described, describe] = useState<string>();
  const nameOf = (id: string) => items.find((item) => item.id === id)?.name ?? '';
  const ids = items.map(({ id }) => id);
  const { held, grab, step } = useTraySorting(ids, (id, to) => {
    tray.move(id, to);
    announce(text('moved', { name: nameOf(id), n: to + 1, all: ids.length }));
  });
  const list = useRef<HTMLUListElement>(null);
  useGrowth(items.filter(({ file }) => file).length, () => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    onGrown();
  });
  useFinished(items, ({ name }) => announce(text('uploaded', { name })));
  useEffect(() => tray.show(), [tray]);
  const chosen = items.find(({ id }) => id === described);
  return (
    <>
      {items.length > 0 && (
        <ul ref={list} className={styles.tray} aria-label={text('attachments')}>
          {items.map((item) => (
            <TrayItem
              key={item.id}
              {...{ item, tray, grab, step }}
              isHeld={held === item.id}
              onDescribe={describe}
            />
          ))}
        </ul>
      )}
      <div role="status" aria-atomic="false" className={styles.hidden}>
        {said.map(({ id, words }) => (
          <p key={id}>{words}</p>
        ))}
      </div>
      {chosen && (
        <DescribeDialog
          item={chosen}
          onClose={() => describe(undefined)}
          onSave={(alt) => tray.describe(chosen.id, alt)}
        />
      )}
    </>
  );
}

const mostSaid = 5;

/** The last announcements, each in a line of its own: one alone would be replaced by the next before it was read out. */
function useAnnouncements() {
  const [said, setSaid] = useState<readonly { id: number; words: string }[]>([]);
  const announce = (words: string) =>
    setSaid((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, words }].slice(-mostSaid));
  return { said, announce };
}

/** Announces each upload that has finished since the last render. */
function useFinished(items: readonly UploadItem[], onFinished: (item: UploadItem) => void): void {
  const running = useRef(new Set<string>());
  useEffect(() => {
    const ended = items.filter(({ id, state }) => state === 'finished' && running.current.has(id));
    running.current = new Set(items.filter(isRunning).map(({ id }) => id));
    for (const item of ended) onFinished(item);
  });
}

function useGrowth(count: number, onGrown: () => void): void {
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) onGrown();
    before.current = count;
  });
}
