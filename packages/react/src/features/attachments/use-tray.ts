import { ParleyError } from '@parley/client';
import { UploadLimitError } from '@parley/client/uploads';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useChat } from '../../chat/chat-provider.tsx';
import { refusalWords } from '../../chat/refusal-words.ts';
import type { Translate } from '../../i18n/english.ts';
import { useFormat, usePartTexts, useText } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { fileSize } from './file-size.ts';
import type { Tray, TrayPlace } from './tray.ts';
import { traysOf } from './trays.ts';
import { fill, type UploadsTexts, uploadsEnglish } from './uploads-english.ts';

/** The files of a composer; undefined in its first moment. */
export function useTray({ cid, parentId, editing }: TrayPlace): Tray | undefined {
  const chat = useChat();
  const [tray, setTray] = useState<Tray>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that changes while it is edited is the same edit
  useLayoutEffect(() => {
    setTray(traysOf(chat).of({ cid, parentId, editing }));
  }, [chat, cid, parentId, editing?.id]);
  return tray;
}

type Words = { texts: UploadsTexts; text: Translate; locale: string };

/** Why an upload failed, as far as it helps to know. */
export const reasonOf = (error: unknown, { texts, text, locale }: Words): string | undefined => {
  if (error instanceof UploadLimitError) {
    const most = error.limit === 'bytes' ? fileSize(error.most, locale) : error.most;
    return fill(error.limit === 'bytes' ? texts.tooLarge : texts.tooMany, { most });
  }
  if (!(error instanceof ParleyError) || error.name === 'MessageBlocked') return undefined;
  const words = error.name === 'PayloadTooLarge' ? error.message : refusalWords(error, text);
  return words.replace(`${uploadsEnglish.failed}: `, '');
};

/** Says what became of the files, wherever the person is by then. */
export function useTrayNotices(): void {
  const chat = useChat();
  const notices = useNotices();
  const text = useText();
  const { locale, list } = useFormat();
  const texts = usePartTexts('uploads', uploadsEnglish);
  useEffect(() => {
    traysOf(chat).listen({
      wait: texts.wait,
      onFailed: ({ name, state, error }) => {
        const reason = reasonOf(error, { texts, text, locale });
        const detail = reason === undefined ? name : fill(texts.named, { name, reason });
        notices.show({ title: state === 'blocked' ? texts.blocked : texts.failed, detail, tone: 'danger' });
      },
      onRefused: (files, most) => {
        const names = list(files.map(({ name = '' }) => name));
        const detail = fill(texts.notAdded, { names, reason: fill(texts.tooMany, { most }) });
        notices.show({ title: texts.failed, detail, tone: 'danger' });
      },
    });
  }, [chat, notices, text, texts, locale, list]);
}
