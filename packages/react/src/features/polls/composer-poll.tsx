import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerControls } from '../composer/use-composer.ts';
import type { PollDialogProps } from './poll-dialog.tsx';

const PollDialog = lazyPart<PollDialogProps>(async () => (await import('./poll-dialog.tsx')).PollDialog);

export type ComposerPollProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
};

/** The dialog that the menu beside the field or `/poll` opens. */
export function ComposerPoll({ cid, parentId, composer, onSent }: ComposerPollProps) {
  const { draft, poll, acts } = composer;
  if (poll === undefined || draft.editing) return null;
  const { quote, isAlsoInChannel } = draft;
  return (
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
  );
}
