import { ParleyError } from '@parley/client';
import { pollNotices } from '@parley/client/polls';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { draftOf, emptyForm, inputOf, moveOption, type PollForm, removeOption, typeOption } from './form.ts';
import { noticeText } from './notice-text.ts';
import styles from './poll-dialog.module.css';
import { PollOptionsEditor } from './poll-options-editor.tsx';
import { pollTexts } from './texts.ts';
import { usePolls } from './use-polls.ts';

export type PollDialogProps = {
  cid: string;
  /** The first value of the question. */
  question: string;
  /** The other fields of the message: its thread, its quote. */
  message?: { parent_id?: string; show_in_channel?: boolean; quoted_message_id?: string };
  onClose: () => void;
  onSent: () => void;
};

const newId = (): string => crypto.randomUUID();

type Sending = Pick<PollDialogProps, 'cid' | 'message' | 'onSent'>;

/** Sends a poll once. A refused end time is shown at its field, any other refusal as a notice. */
function useSending({ cid, message, onSent }: Sending, endAt: string) {
  const polls = usePolls();
  const showRefusal = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const [endError, setEndError] = useState<string>();
  const send = async (form: PollForm) => {
    setBusy(true);
    try {
      await polls.send(cid, inputOf(form), message ?? {});
      onSent();
    } catch (error) {
      setBusy(false);
      const end = error instanceof ParleyError && error.details?.find(({ path }) => path === 'end_at');
      if (end) setEndError(`${endAt} ${end.message}`);
      else showRefusal(error);
    }
  };
  return { isBusy, endError, setEndError, send: (form: PollForm) => void send(form) };
}

/** The dialog in which a poll is written. Mistakes are shown as they are typed; a refused poll stays in the fields. */
export function PollDialog(props: PollDialogProps) {
  const text = useTexts(pollTexts);
  const formId = useId();
  const [form, setForm] = useState(() => emptyForm(props.question, newId));
  const [isTried, setTried] = useState(false);
  const { isBusy, endError, setEndError, send } = useSending(props, text('endAt'));
  const notices = pollNotices(draftOf(form));
  const element = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (notices.isReady) return send(form);
    // Runs after the notices are drawn: they mark the wrong field.
    requestAnimationFrame(() => {
      const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      (wrong ?? element.current?.querySelector('input'))?.focus();
    });
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && props.onClose()}
      title={text('createTitle')}
      footer={
        <>
          <Button onClick={props.onClose}>{text('cancel')}</Button>
          <Button submit form={formId} variant="primary" busy={isBusy}>
            {text('send')}
          </Button>
        </>
      }
    >
      <form ref={element} id={formId} noValidate className={styles.form} onSubmit={submit}>
        <Question form={form} isTried={isTried} notice={notices.name} onChange={setForm} />
        <PollOptionsEditor
          rows={form.rows}
          notices={withMissing(notices.options, form, isTried && !notices.isReady)}
          onType={(id, words) => setForm((now) => typeOption(now, id, words, newId))}
          onRemove={(id) => setForm((now) => removeOption(now, id, newId))}
          onMove={(id, to) => setForm((now) => moveOption(now, id, to))}
        />
        <Choices form={form} notice={notices.maxVotes} onChange={setForm} />
        <EndTime
          {...{ form, error: endError }}
          onChange={(change) => {
            setForm(change);
            setEndError(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}

function EndTime({ form, error, onChange }: PartProps & { error: string | undefined }) {
  const text = useTexts(pollTexts);
  return (
    <TextField
      type="datetime-local"
      label={text('endAt')}
      value={form.endAt}
      hint={text('endAtHint')}
      error={error}
      onChange={(endAt) => onChange((now) => ({ ...now, endAt }))}
    />
  );
}

/** A poll that nobody could answer lacks its first option. */
const withMissing = (notices: ReadonlyMap<string, string>, form: PollForm, isShown: boolean) => {
  const [first] = form.rows;
  const { options, allowSuggestions, allowAnswers } = draftOf(form);
  if (!isShown || !first || options.length > 0 || allowSuggestions || allowAnswers) return notices;
  const [notice] = pollNotices({ ...draftOf(form), options: [first] }).options.values();
  return notice === undefined ? notices : new Map([[first.id, notice]]);
};

type PartProps = { form: PollForm; onChange: (next: (now: PollForm) => PollForm) => void };

function Question(props: PartProps & { isTried: boolean; notice: string | undefined }) {
  const text = useTexts(pollTexts);
  const { form, onChange, isTried, notice } = props;
  const [isTouched, setTouched] = useState(false);
  return (
    <TextField
      autoFocus
      label={text('question')}
      placeholder={text('questionHint')}
      value={form.name}
      maxLength={255}
      error={isTried || isTouched ? noticeText(notice, text) : undefined}
      onChange={(name) => {
        setTouched(true);
        onChange((now) => ({ ...now, name }));
      }}
    />
  );
}

function Choices({ form, notice, onChange }: PartProps & { notice: string | undefined }) {
  const text = useTexts(pollTexts);
  const put = (part: Partial<PollForm>) => onChange((now) => ({ ...now, ...part }));
  return (
    <div className={styles.choices}>
      <Check label={text('several')} isOn={form.isSeveral} onChange={(isSeveral) => put({ isSeveral })}>
        {form.isSeveral && (
          <div className={styles.limit}>
            <Check
              label={text('limit')}
              isOn={form.maxVotes !== undefined}
              onChange={(isLimited) => put({ maxVotes: isLimited ? '2' : undefined })}
            />
            {form.maxVotes !== undefined && (
              <TextField
                label={text('maxVotes')}
                hideLabel
                inputMode="numeric"
                value={form.maxVotes}
                error={noticeText(notice, text)}
                onChange={(maxVotes) => put({ maxVotes })}
              />
            )}
          </div>
        )}
      </Check>
      <Check
        label={text('hideVoters')}
        hint={text('hideVotersHint')}
        isOn={form.isAnonymous}
        onChange={(isAnonymous) => put({ isAnonymous })}
      />
      <Check
        label={text('allowSuggestions')}
        isOn={form.allowSuggestions}
        onChange={(allowSuggestions) => put({ allowSuggestions })}
      />
      <Check
        label={text('allowComments')}
        isOn={form.allowComments}
        onChange={(allowComments) => put({ allowComments })}
      />
    </div>
  );
}

type CheckProps = {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children?: ReactNode;
};

function Check({ label, hint, isOn, onChange, children }: CheckProps) {
  return (
    <div>
      <label className={styles.check}>
        <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
        <span>
          {label}
          {hint !== undefined && <span className={styles.hint}>{hint}</span>}
        </span>
      </label>
      {children}
    </div>
  );
}
