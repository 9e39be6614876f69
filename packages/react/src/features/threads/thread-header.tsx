import { canEdit, type VisibleMessage } from '@parley/client';
import { type Threads, threads as threadsFeature } from '@parley/client/threads';
import { type ReactNode, useEffect, useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useClient, useFeature, useMe, useOwnId } from '../../chat/client-provider.tsx';
import { useChannel, useChannelTitle } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconEdit } from '../../ui/icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { lateThreadTexts } from './late-texts.ts';

export type ThreadHeaderProps = {
  cid: string;
  parentId: string;
  parent: VisibleMessage | undefined;
  actions: ReactNode;
  onClose: () => void;
};

/** The name of a thread, and a button to rename it for users with the capability. */
export function ThreadHeader({ cid, parentId, parent, actions, onClose }: ThreadHeaderProps) {
  const text = useTexts(lateThreadTexts);
  const me = useMe();
  const threads = useFeature(threadsFeature);
  const hasThread = (parent?.reply_count ?? 0) > 0;
  const title = useThreadTitle(threads, parentId, hasThread);
  const [isNaming, setNaming] = useState(false);
  const mayRename = useChannel(
    cid,
    (state) => hasThread && parent !== undefined && state !== undefined && canEdit(state, me, parent),
  );
  return (
    <>
      <ChannelHeader
        name={title ?? text('thread')}
        detail={useChannelTitle(cid)}
        onBack={onClose}
        onClose={onClose}
        actions={
          <>
            {actions}
            {mayRename && (
              <IconButton label={text('rename')} onClick={() => setNaming(true)}>
                <IconEdit />
              </IconButton>
            )}
          </>
        }
      />
      {isNaming && (
        <NameDialog
          before={title ?? ''}
          onSave={(name) => threads.rename(parentId, name)}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

/** Loads the thread once it exists, and keeps it live. */
function useThreadTitle(threads: Threads, parentId: string, hasThread: boolean): string | undefined {
  const client = useClient();
  const isConnected = useOwnId() !== undefined;
  const [title, setTitle] = useState<string>();
  useEffect(() => {
    if (!hasThread || !isConnected) return;
    let isOver = false;
    const show = (thread: { parent_message_id: string; title?: string }) => {
      if (!isOver && thread.parent_message_id === parentId) setTitle(thread.title);
    };
    threads.get(parentId).then(show, () => {});
    const stop = client.on('thread.updated', ({ thread }) => show(thread));
    return () => {
      isOver = true;
      stop();
    };
  }, [client, threads, parentId, hasThread, isConnected]);
  return title;
}

type NameDialogProps = { before: string; onSave: (name: string) => Promise<unknown>; onClose: () => void };

function NameDialog({ before, onSave, onClose }: NameDialogProps) {
  const text = useTexts(lateThreadTexts);
  const [name, setName] = useState(before);
  const [isRefused, setRefused] = useState(false);
  const save = () => onSave(name.trim()).then(onClose, () => setRefused(true));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={text('renameTitle')}
      footer={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button variant="primary" onClick={() => void save()}>
            {text('save')}
          </Button>
        </>
      }
    >
      <TextField
        label={text('renameTitle')}
        hideLabel
        hint={text('renameHint')}
        error={isRefused ? text('renameRefused') : undefined}
        value={name}
        maxLength={256}
        onChange={(next) => {
          setName(next);
          setRefused(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing && event.keyCode !== 229) void save();
        }}
      />
    </Dialog>
  );
}
