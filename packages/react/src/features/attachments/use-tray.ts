import { ParleyError } from '@parley/client';
import { UploadCutOffError, UploadLimitError } from '@parley/client/attachments';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { errorTexts } from '../../chat/error-texts.ts';
import { refusalWords } from '../../chat/refusal-words.ts';
import type { TextOf } from '../../i18n/text.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { fileSize } from './file-size.ts';
import type { Tray, TrayPlace } from './tray.ts';
import { trays } from './trays.ts';
import { uploadTexts } from './upload-texts.ts';

/** The files of a composer; undefined in its first moment. */
export function useTray({ cid, parentId, editing }: TrayPlace): Tray | undefined {
  const client = useClient();
  const [tray, setTray] = useState<Tray>();
  // A message that changes while it is edited is the same edit.
  const editingId = editing?.id;
  const edited = useEffectEvent(() => editing);
  useLayoutEffect(() => {
    const all = client.feature(trays);
    const take = () =>
      setTray(all.of({ cid, parentId, editing: editingId === undefined ? undefined : edited() }));
    take();
    return all.subscribe(take);
  }, [client, cid, parentId, editingId]);
  return tray;
}

type Words = {
  text: TextOf<typeof uploadTexts>;
  errorText: TextOf<typeof errorTexts>;
  locale: string;
};

/** The reason why an upload failed, as far as it helps to know. */
export const reasonOf = (error: unknown, { text, errorText, locale }: Words): string | undefined => {
  if (error instanceof UploadCutOffError) return text('cutOff');
  if (error instanceof UploadLimitError) {
    const most = error.limit === 'bytes' ? fileSize(error.most, locale) : error.most;
    return text(error.limit === 'bytes' ? 'tooLarge' : 'tooMany', { most });
  }
  if (!(error instanceof ParleyError) || error.name === 'MessageBlocked') return undefined;
  const words = error.name === 'PayloadTooLarge' ? error.message : refusalWords(error, errorText);
  return words.replace(`${uploadTexts.english.failed}: `, '');
};

/** Shows the outcome of uploads, on whichever screen the user is by then. */
export function useTrayNotices(): void {
  const client = useClient();
  const notices = useNotices();
  const text = useTexts(uploadTexts);
  const errorText = useTexts(errorTexts);
  const { locale, list } = useFormat();
  useEffect(() => {
    client.feature(trays).listen({
      wait: text('wait'),
      notUploaded: text('notUploaded'),
      onFailed: ({ name, state, error }) => {
        const reason = reasonOf(error, { text, errorText, locale });
        const detail = reason === undefined ? name : text('named', { name, reason });
        notices.show({
          title: state === 'blocked' ? text('blocked') : text('failed'),
          detail,
          tone: 'danger',
        });
      },
      onGone: (names) => {
        const title = text('noLongerThere', { count: names.length, names: list(names) });
        notices.show({ title, tone: 'danger' });
      },
      onRefused: (files, most) => {
        const names = list(files.map(({ name = '' }) => name));
        const detail = text('notAdded', { names, reason: text('tooMany', { most }) });
        notices.show({ title: text('failed'), detail, tone: 'danger' });
      },
      onLost: ({ cid, id, input: { text: words = '' } }) => {
        const copy = async () => navigator.clipboard.writeText(words);
        const show = () =>
          notices.show({
            ...{ title: text('lostTitle'), detail: words, tone: 'danger', isImportant: true },
            action: {
              label: text('copyText'),
              // A text that couldn't be copied stays where it can be.
              onSelect: () => void copy().then(() => client.messages.discard(cid, id), show),
            },
          });
        show();
      },
    });
  }, [client, notices, text, errorText, locale, list]);
}
