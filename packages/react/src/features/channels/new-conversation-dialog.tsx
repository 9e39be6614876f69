import { type FormEvent, useId, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconHash, IconUser } from '../../ui/icons.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useFirstFocus } from '../../ui/use-first-focus.ts';
import { PeoplePicker, type PersonView } from '../users/people-picker.tsx';
import { lateChannelTexts } from './late-texts.ts';
import styles from './new-conversation-dialog.module.css';

export type NewConversationChoice =
  | { kind: 'direct'; personIds: readonly string[] }
  | { kind: 'channel'; name: string; personIds: readonly string[] };

export type NewConversationDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  people: readonly PersonView[];
  /** Called as the search changes, where the people come from the server. */
  onSearch?: (query: string) => void;
  searching?: boolean;
  onCreate: (conversation: NewConversationChoice) => void;
  busy?: boolean;
  error?: string | undefined;
};

export function NewConversationDialog(props: NewConversationDialogProps) {
  const text = useTexts(lateChannelTexts);
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={text('newConversation')}>
      <NewConversationForm {...props} />
    </Dialog>
  );
}

/** A component of its own, so that closing the dialog clears the fields. */
function NewConversationForm(props: NewConversationDialogProps) {
  const { people, onSearch, searching, onCreate, busy = false, error } = props;
  const text = useTexts(lateChannelTexts);
  const formId = useId();
  const [kind, setKind] = useState<NewConversationChoice['kind']>('direct');
  const [name, setName] = useState('');
  const [personIds, setPersonIds] = useState<readonly string[]>([]);
  const ready = kind === 'direct' ? personIds.length > 0 : name.trim() !== '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready || busy) return;
    onCreate(kind === 'direct' ? { kind, personIds } : { kind, name: name.trim(), personIds });
  };
  /** Each tab has a search of its own, which begins empty. */
  const turnTo = (next: NewConversationChoice['kind']) => {
    setKind(next);
    onSearch?.('');
  };
  const pick = (isFirst: boolean) => (
    <PeoplePicker
      people={people}
      selected={personIds}
      onChange={setPersonIds}
      {...(onSearch && { onSearch })}
      searching={searching ?? false}
      isFirst={isFirst}
    />
  );

  return (
    <form id={formId} className={styles.form} onSubmit={submit}>
      <Segmented
        value={kind}
        onChange={turnTo}
        segments={[
          { id: 'direct', label: text('directMessage'), icon: <IconUser size={16} />, content: pick(true) },
          {
            id: 'channel',
            label: text('channel'),
            icon: <IconHash size={16} />,
            content: (
              <div className={styles.fields}>
                <NameField value={name} onChange={setName} />
                {pick(false)}
              </div>
            ),
          },
        ]}
      />
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <Button submit variant="primary" size="l" wide disabled={!ready} busy={busy}>
        {kind === 'direct' ? text('startConversation') : text('createChannel')}
      </Button>
    </form>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const text = useTexts(lateChannelTexts);
  return (
    <TextField
      ref={useFirstFocus()}
      label={text('channelName')}
      placeholder={text('channelNameHint')}
      value={value}
      onChange={onChange}
      maxLength={80}
    />
  );
}
