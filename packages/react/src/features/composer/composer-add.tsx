import { type ChangeEvent, useRef, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useNotify } from '../../chat/use-notify.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClip, IconLocation, IconPlus, IconPoll } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { IconMicrophone } from '../attachments/voice/voice-icons.tsx';
import { ComposerLocation } from '../locations/composer-location.tsx';
import { messageTexts } from '../messages/texts.ts';
import { ComposerPoll } from '../polls/composer-poll.tsx';
import type { ComposerControls } from './use-composer.ts';

export type ComposerAddProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
  /** Begins a voice message; missing where none can be recorded. */
  onVoice?: (() => void) | undefined;
};

/** The menu beside the field: what can be added to a message, by what its author may do here. */
export function ComposerAdd(props: ComposerAddProps) {
  const { cid, composer } = props;
  const { draft, acts } = composer;
  const text = useTexts(messageTexts);
  const mayAsk = useChannel(cid, (state) => state?.capabilities.has('create-poll') ?? false);
  const mayAdd = useChannel(cid, (state) => state?.capabilities.has('upload-file') ?? false);
  const mayShare = useChannel(cid, (state) => state?.capabilities.has('share-location') ?? false);
  const [isLocating, setLocating] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const addFiles = useAddFiles(props);
  const actions: MenuAction[] = [];
  if (mayAdd)
    actions.push({
      ...{ id: 'files', label: text('addFiles'), icon: <IconClip /> },
      onSelect: () => picker.current?.click(),
    });
  if (props.onVoice && !draft.editing)
    actions.push({
      ...{ id: 'voice', label: text('voiceMessage'), icon: <IconMicrophone /> },
      onSelect: props.onVoice,
    });
  if (mayAsk && !draft.editing)
    actions.push({
      ...{ id: 'poll', label: text('createPoll'), icon: <IconPoll /> },
      onSelect: () => acts.askPoll(''),
    });
  if (mayShare && !draft.editing)
    actions.push({
      ...{ id: 'location', label: text('shareLocation'), icon: <IconLocation /> },
      onSelect: () => setLocating(true),
    });
  return (
    <>
      {actions.length > 0 && (
        <Menu
          side="top"
          align="start"
          actions={actions}
          trigger={
            <IconButton label={text('addToMessage')}>
              <IconPlus />
            </IconButton>
          }
        />
      )}
      {mayAdd && <input ref={picker} type="file" multiple hidden onChange={addFiles} />}
      {mayAsk && <ComposerPoll {...props} />}
      {isLocating && <ComposerLocation {...props} onClose={() => setLocating(false)} />}
    </>
  );
}

/** What was picked, put into the tray of the composer; the same file can be picked again. */
function useAddFiles({ cid, parentId, composer: { draft } }: ComposerAddProps) {
  const client = useClient();
  const notify = useNotify();
  const text = useTexts(messageTexts);
  return async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    target.value = '';
    try {
      const { trays } = await import('../attachments/trays.ts');
      client.feature(trays).of({ cid, parentId, editing: draft.editing }).add(files);
    } catch {
      notify(text('couldNotLoad'));
    }
  };
}
