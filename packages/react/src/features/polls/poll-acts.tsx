import type { VisibleMessage } from '@parley/client';
import { ownAnswer, type Poll } from '@parley/client/polls';
import { useState } from 'react';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconMore } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import styles from './poll-bubble.module.css';
import { PollResultsDialog, type ResultsView } from './poll-results-dialog.tsx';
import { CommentDialog, SuggestDialog } from './poll-words-dialog.tsx';
import type { Rights } from './rights.ts';
import { pollTexts } from './texts.ts';
import { usePolls } from './use-polls.ts';

type Props = { poll: Poll; message: VisibleMessage; rights: Rights };
type Open = { kind: 'results'; view: ResultsView } | { kind: 'suggest' | 'comment' | 'delete' };

/** The actions on a poll besides voting, and their dialogs. */
export function PollActs({ poll, message, rights }: Props) {
  const text = useTexts(pollTexts);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isSent = message.status === 'sent';
  const link = (label: string, next: Open) => (
    <button type="button" className={styles.link} onClick={() => setOpen(next)}>
      {label}
    </button>
  );
  const comments = text('commentCount', { count: poll.answers_count });
  const maySuggest = isSent && rights.suggest && poll.allow_user_suggested_options;
  const mayComment = isSent && rights.vote && poll.allow_answers;
  return (
    <div className={styles.acts}>
      <div className={styles.line}>
        <span className={styles.total} role="status">
          {text('votes', { count: poll.vote_count })}
        </span>
        {poll.vote_count > 0 && link(text('results'), { kind: 'results', view: { kind: 'all' } })}
        {isSent && rights.manage && <PollMenu poll={poll} onDelete={() => setOpen({ kind: 'delete' })} />}
      </div>
      {(maySuggest || mayComment || poll.answers_count > 0) && (
        <div className={styles.line}>
          {maySuggest && link(text('suggest'), { kind: 'suggest' })}
          {mayComment && link(ownAnswer(poll) ? text('changeComment') : text('comment'), { kind: 'comment' })}
          {poll.answers_count > 0 && link(comments, { kind: 'results', view: { kind: 'comments' } })}
        </div>
      )}
      {open?.kind === 'results' && <PollResultsDialog poll={poll} first={open.view} onClose={close} />}
      {open?.kind === 'suggest' && <SuggestDialog poll={poll} onClose={close} />}
      {open?.kind === 'comment' && <CommentDialog poll={poll} message={message} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDialog poll={poll} onClose={close} />}
    </div>
  );
}

type MenuProps = { poll: Poll; onDelete: () => void };

function PollMenu({ poll, onDelete }: MenuProps) {
  const text = useTexts(pollTexts);
  const polls = usePolls();
  const showRefusal = useRefusal();
  const toggle: MenuAction = poll.is_closed
    ? { id: 'reopen', label: text('reopen'), onSelect: () => void polls.reopen(poll).catch(showRefusal) }
    : { id: 'close', label: text('close'), onSelect: () => void polls.close(poll.id).catch(showRefusal) };
  return (
    <Menu
      trigger={
        <IconButton label={text('actions')} size="s" tooltip="none">
          <IconMore size={18} />
        </IconButton>
      }
      align="end"
      actions={[toggle, { id: 'delete', label: text('delete'), danger: true, onSelect: onDelete }]}
    />
  );
}

function DeleteDialog({ poll, onClose }: { poll: Poll; onClose: () => void }) {
  const polls = usePolls();
  const showRefusal = useRefusal();
  const text = useTexts(pollTexts);
  const asked = {
    title: text('deleteTitle'),
    hint: text('deleteHint'),
    label: text('delete'),
    onConfirm: () => void polls.delete(poll.id).catch(showRefusal),
  };
  return <ConfirmDialog asked={asked} onClose={onClose} />;
}
