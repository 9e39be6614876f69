import { ParleyError, type VisibleMessage } from '@parley/client';
import { ownAnswer, type Poll, pollNotices } from '@parley/client/polls';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { errorTexts } from '../../chat/error-texts.ts';
import { refusalWords } from '../../chat/refusal-words.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { noticeText } from './notice-text.ts';
import { pollTexts } from './texts.ts';
import { usePolls } from './use-polls.ts';

type WordsDialogProps = {
  title: string;
  label: string;
  start: string;
  maxLength: number;
  /** The mistake in the text; shown once something was typed or sent. */
  noticeOf: (words: string) => string | undefined;
  send: (words: string) => Promise<unknown>;
  /** Shown beside the main button. */
  more?: ReactNode;
  onClose: () => void;
};

/** A dialog for one line of text. A refused text stays in the field, with the reason under it. */
function WordsDialog(props: WordsDialogProps) {
  const text = useTexts(pollTexts);
  const errorText = useTexts(errorTexts);
  const showRefusal = useRefusal();
  const form = useId();
  const [words, setWords] = useState(props.start);
  const [isTouched, setTouched] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const notice = props.noticeOf(words);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (notice !== undefined) return;
    setBusy(true);
    try {
      await props.send(words.trim());
      props.onClose();
    } catch (error) {
      setBusy(false);
      if (error instanceof ParleyError) setRefusal(refusalWords(error, errorText));
      else showRefusal(error);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && props.onClose()}
      title={props.title}
      footer={
        <>
          {props.more}
          <Button onClick={props.onClose}>{text('cancel')}</Button>
          <Button submit form={form} variant="primary" busy={isBusy}>
            {text('sendWords')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          autoFocus
          label={props.label}
          value={words}
          maxLength={props.maxLength}
          error={refusal ?? (isTouched ? noticeText(notice, text) : undefined)}
          onChange={(next) => {
            setWords(next);
            setTouched(true);
            setRefusal(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}

type SuggestProps = { poll: Poll; onClose: () => void };

export function SuggestDialog({ poll, onClose }: SuggestProps) {
  const text = useTexts(pollTexts);
  const polls = usePolls();
  const noticeOf = (words: string) =>
    pollNotices({
      name: poll.name,
      options: [...poll.options, { id: 'new', text: words }],
      maxVotes: undefined,
      allowSuggestions: true,
      allowAnswers: false,
    }).options.get('new');
  return (
    <WordsDialog
      title={text('suggest')}
      label={text('suggestion')}
      start=""
      maxLength={255}
      noticeOf={noticeOf}
      send={(words) => polls.options.add(poll.id, words)}
      onClose={onClose}
    />
  );
}

type CommentProps = SuggestProps & { message: VisibleMessage };

export function CommentDialog({ poll, message, onClose }: CommentProps) {
  const text = useTexts(pollTexts);
  const polls = usePolls();
  const showRefusal = useRefusal();
  const own = ownAnswer(poll);
  const removeComment = () => {
    if (own) polls.unvote(message, poll.id, own.id).catch(showRefusal);
    onClose();
  };
  return (
    <WordsDialog
      title={own ? text('changeComment') : text('comment')}
      label={text('commentLabel')}
      start={own?.answer_text ?? ''}
      maxLength={1000}
      noticeOf={(words) => (words.trim() === '' ? text('commentEmpty') : undefined)}
      send={(words) => polls.answer(message, poll.id, words)}
      more={own && <Button onClick={removeComment}>{text('removeComment')}</Button>}
      onClose={onClose}
    />
  );
}
