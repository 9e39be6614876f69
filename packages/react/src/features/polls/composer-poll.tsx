import { useText } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconPoll } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useChannel } from '../channels/use-channel.ts';
import type { ComposerControls } from '../messages/use-composer.ts';
import type { PollDialogProps } from './poll-dialog.tsx';

const PollDialog = lazyPart<PollDialogProps>(async () => (await import('./poll-dialog.tsx')).PollDialog);

export type ComposerPollProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
};

/** The button beside the composer for who may make polls, and the dialog that it or `/poll` opens. */
export function ComposerPoll({ cid, parentId, composer, onSent }: ComposerPollProps) {
  const { draft, poll, acts } = composer;
  const text = useText();
  const mayAsk = useChannel(cid, (state) => state?.capabilities.has('create-poll') ?? false);
  if (!mayAsk || draft.editing) return null;
  const { quote, isAlsoInChannel } = draft;
  return (
    <>
      <IconButton label={text('createPoll')} onClick={() => acts.askPoll('')}>
        <IconPoll />
      </IconButton>
      {poll !== undefined && (
        <PollDialog
          cid={cid}
          question={poll}
          message={{
            ...(quote && { quoted_message_id: quote.id }),
            ...(parentId && { parent_id: parentId, show_in_channel: isAlsoInChannel === true }),
          }}
          onClose={() => acts.askPoll(undefined)}
          onSent={() => {
            acts.pollSent();
            onSent?.();
          }}
        />
      )}
    </>
  );
}
