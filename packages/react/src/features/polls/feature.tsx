import type { VisibleMessage } from '@parley/client';
import { useEffect } from 'react';
import { useCapability } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { supplier } from '../../ui/collect.tsx';
import { IconPoll } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerAddition, ComposerPart, ComposerState } from '../composer/composer-parts.ts';
import { answerFields } from '../drafts/draft-box.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { pollMenuTexts } from './menu-texts.ts';
import type { PollDialogProps } from './poll-dialog.tsx';

const what = 'poll';

type Props = { message: VisibleMessage };

const PollBubble = lazyPart<Props>(async () => (await import('./poll-bubble.tsx')).PollBubble, {
  Waiting: PollWaiting,
});

const PollDialog = lazyPart<PollDialogProps>(async () => (await import('./poll-dialog.tsx')).PollDialog);

/** Has the height of the poll until it is drawn, so that nothing moves. */
function PollWaiting({ message: { poll } }: Props) {
  return (
    <div style={{ blockSize: `${6.5 + 3 * Math.min(10, poll?.options.length ?? 2)}rem` }}>{poll?.name}</div>
  );
}

/** The entry of the menu, and the dialog that it or `/poll` opens. */
function useNewPoll({ cid, parentId, composer, onSent, mayWrite }: ComposerState): ComposerAddition {
  const { draft, opened, acts } = composer;
  // The dialog goes with the right to write, and does not open by itself when that comes back.
  useEffect(() => {
    if (!mayWrite && opened?.what === what) acts.open(undefined);
  });
  const text = useTexts(pollMenuTexts);
  const mayAsk = useCapability(cid, 'create-poll');
  if (!mayAsk || draft.editing) return {};
  return {
    entry: {
      id: what,
      label: text('createPoll'),
      icon: <IconPoll />,
      onSelect: () => acts.open({ what, args: '' }),
    },
    leading: opened?.what === what && (
      <PollDialog
        cid={cid}
        question={opened.args}
        message={answerFields(draft, parentId)}
        onClose={() => acts.open(undefined)}
        onSent={() => {
          acts.open(undefined);
          acts.partSent(/^\/poll(\s|$)/i);
          onSent?.();
        }}
      />
    ),
  };
}

export const polls: MessagePart & ComposerPart = {
  name: 'polls',
  above: (message) => (message.poll_id === undefined ? undefined : <PollBubble message={message} />),
  Addition: supplier(useNewPoll),
};
