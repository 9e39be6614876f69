import { selectUserName } from '@parley/client';
import { type MessageVersion, messageHistory } from '@parley/client/messages';
import { useCallback, useEffect, useState } from 'react';
import { useFeature } from '../../../chat/client-provider.tsx';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Dotted } from '../../../ui/dotted.tsx';
import { inOrder } from '../../../ui/in-order.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { toError } from '../../../ui/to-error.ts';
import { lateMessageTexts } from '../late-texts.ts';
import type { MessageDialogProps } from '../message-item-props.ts';
import styles from './history-dialog.module.css';
import { type DiffPart, diffWords } from './word-diff.ts';

type Loaded = { versions: readonly MessageVersion[]; next: string | undefined };

/** The versions of a message, newest first, a page at a time. */
function useHistory(id: string) {
  const history = useFeature(messageHistory);
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<string>();
  const load = useCallback(
    async (from?: Loaded) => {
      try {
        const page = await history.query(id, from?.next === undefined ? {} : { next: from.next });
        setLoaded({ versions: [...(from?.versions ?? []), ...page.versions], next: page.next });
      } catch (reason) {
        setError(toError(reason).message);
      }
    },
    [history, id],
  );
  useEffect(() => void load(), [load]);
  return { loaded, error, more: () => void load(loaded) };
}

/** The earlier texts of a message, and the changes of each edit. */
export function HistoryDialog({ message, onClose }: MessageDialogProps) {
  const text = useTexts(lateMessageTexts);
  const { loaded, error, more } = useHistory(message.id);
  const texts = [message.text, ...(loaded?.versions.map((version) => version.text) ?? [])];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text('editHistory')}>
      {error !== undefined && <p role="alert">{error}</p>}
      {loaded === undefined && error === undefined && <Spinner label={text('loading')} />}
      <ol className={styles.versions}>
        {loaded !== undefined &&
          texts.map((now, index) => (
            <li key={loaded.versions[index]?.message_updated_at ?? 'first'} className={styles.version}>
              <VersionTitle
                version={loaded.versions[index]}
                isNow={index === 0}
                saidAt={loaded.next === undefined ? message.created_at : undefined}
              />
              <Changes before={texts[index + 1]} after={now} />
            </li>
          ))}
      </ol>
      {loaded?.next !== undefined && <Button onClick={more}>{text('showMore')}</Button>}
    </Dialog>
  );
}

type TitleProps = { version: MessageVersion | undefined; isNow: boolean; saidAt: string | undefined };

/** The time of a version is when it replaced the one under it, and of the first when the message was sent. */
function VersionTitle({ version, isNow, saidAt }: TitleProps) {
  const text = useTexts(lateMessageTexts);
  const format = useFormat();
  const editor = version?.message_updated_by;
  const at = version?.message_updated_at ?? saidAt;
  const words = [
    isNow ? text('versionNow') : undefined,
    editor ? text('versionBy', { name: selectUserName(editor) }) : undefined,
    at === undefined ? undefined : format.full(at),
  ];
  if (words.every((word) => word === undefined)) return null;
  return (
    <p className={styles.title}>
      <Dotted parts={words} />
    </p>
  );
}

const tags = { added: 'ins', removed: 'del' } as const;

const drawPart = ({ kind, text }: DiffPart) => {
  if (kind === 'same') return text;
  const Tag = tags[kind];
  return <Tag>{text}</Tag>;
};

function Changes({ before, after }: { before: string | undefined; after: string }) {
  return (
    <p dir="auto" className={styles.text}>
      {before === undefined ? after : inOrder(diffWords(before, after), drawPart)}
    </p>
  );
}
