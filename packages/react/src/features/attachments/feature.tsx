import type { UploadFunction } from '@parley/client/attachments';
import { type ChangeEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useClient, useFeature } from '../../chat/client-provider.tsx';
import { useCapability } from '../../chat/use-channel.ts';
import { useNotify } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { supplier } from '../../ui/collect.tsx';
import { IconClip } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerAddition, ComposerPart, ComposerState } from '../composer/composer-parts.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { messageTexts } from '../messages/texts.ts';
import type { ComposerFilesProps } from './composer-files.tsx';
import { filesOf } from './message-attachments.tsx';
import { SoundProvider } from './sound-provider.tsx';
import { uploading } from './uploading.ts';

const ComposerFiles = lazyPart<ComposerFilesProps>(
  async () => (await import('./composer-files.tsx')).ComposerFiles,
  { Missing: () => null },
);

/** Puts the files that were picked into the tray of the composer; the same file can be picked again. */
function useAddFiles({ cid, parentId, composer: { draft } }: ComposerState) {
  const client = useClient();
  const notify = useNotify();
  const text = useTexts(messageTexts);
  return async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    target.value = '';
    try {
      const { trays } = await import('./trays.ts');
      client.feature(trays).of({ cid, parentId, editing: draft.editing }).add(files);
    } catch {
      notify(text('couldNotLoad'));
    }
  };
}

function useFiles(state: ComposerState): ComposerAddition {
  const { cid, parentId, composer, mayWrite } = state;
  const text = useTexts(messageTexts);
  const mayAdd = useCapability(cid, 'upload-file');
  const picker = useRef<HTMLInputElement>(null);
  const addFiles = useAddFiles(state);
  const { editing } = composer.draft;
  const tray = <ComposerFiles {...{ cid, parentId, editing }} mayAdd={mayAdd && mayWrite} />;
  if (!mayAdd) return { tray };
  return {
    tray,
    entry: {
      id: 'files',
      label: text('addFiles'),
      icon: <IconClip />,
      onSelect: () => picker.current?.click(),
    },
    leading: <input ref={picker} type="file" multiple hidden onChange={addFiles} />,
  };
}

/** Gives the product's own upload function to the uploads, and stops these with the provider. */
function UploadSettings({ upload }: { upload?: UploadFunction | undefined }) {
  const settings = useFeature(uploading);
  useLayoutEffect(() => {
    settings.upload = upload;
  }, [settings, upload]);
  useEffect(() => () => settings.stop?.(), [settings]);
  return null;
}

export const attachments = {
  name: 'attachments',
  Start: UploadSettings,
  above: filesOf,
  Frame: SoundProvider,
  Addition: supplier(useFiles),
} satisfies MessagePart & ComposerPart & { Start: unknown };
