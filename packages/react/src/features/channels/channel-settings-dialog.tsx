import { type ChannelState, hasCapability } from '@parley/client';
import { type FormEvent, useId, useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import type { Confirmation } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './channel-life.module.css';
import { lateChannelTexts } from './late-texts.ts';
import { useChannelAct } from './use-channel-act.ts';

type Capability = Parameters<typeof hasCapability>[1];

const settings: readonly Capability[] = [
  'update-channel',
  'set-channel-cooldown',
  'freeze-channel',
  'truncate-channel',
  'delete-channel',
];

export const canChangeSettings = (state: ChannelState): boolean =>
  settings.some((capability) => hasCapability(state, capability));

type Values = { name: string; topic: string; cooldown: number; frozen: boolean };

/** Custom data of the channel that the /topic command and this dialog share. */
const topicOf = ({ topic }: ChannelState['channel'] & { topic?: unknown }): string =>
  typeof topic === 'string' ? topic : '';

const valuesOf = ({ channel }: ChannelState): Values => ({
  name: channel.name ?? '',
  topic: topicOf(channel),
  cooldown: channel.cooldown,
  frozen: channel.frozen,
});

/** Only changed fields are sent: each setting needs a capability of its own. */
const patchOf = (before: Values, after: Values) => {
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const key of ['name', 'topic'] as const) {
    const value = after[key].trim();
    if (value === before[key]) continue;
    if (value === '') unset.push(key);
    else set[key] = value;
  }
  if (after.cooldown !== before.cooldown) set.cooldown = after.cooldown;
  if (after.frozen !== before.frozen) set.frozen = after.frozen;
  return { set, unset };
};

export type ChannelSettingsDialogProps = {
  cid: string;
  onClose: () => void;
  /** Called when the channel was deleted. */
  onGone: () => void;
  ask: (asked: Confirmation) => void;
};

/** The name and the rules of a conversation, as far as the user may change them. */
export function ChannelSettingsDialog(props: ChannelSettingsDialogProps) {
  const text = useTexts(lateChannelTexts);
  const client = useClient();
  const [before] = useState(() => client.channels.state(props.cid).get());
  return (
    <Dialog open onOpenChange={(next) => !next && props.onClose()} title={text('settings')}>
      {before && <SettingsForm {...props} before={valuesOf(before)} />}
      <DangerActs {...props} />
    </Dialog>
  );
}

function SettingsForm({ cid, onClose, before }: ChannelSettingsDialogProps & { before: Values }) {
  const client = useClient();
  const text = useTexts(lateChannelTexts);
  const { act, isBusy } = useChannelAct();
  const [values, setValues] = useState(before);
  const capabilities = useChannel(cid, (state) => state?.capabilities);
  const put = (part: Partial<Values>) => setValues({ ...values, ...part });
  const save = (event: FormEvent) => {
    event.preventDefault();
    const { set, unset } = patchOf(before, values);
    if (Object.keys(set).length + unset.length === 0) return onClose();
    act(() => client.channels.patch(cid, set, unset), onClose);
  };
  return (
    <form className={styles.form} onSubmit={save}>
      {capabilities?.has('update-channel') && (
        <>
          <TextField
            label={text('name')}
            value={values.name}
            maxLength={80}
            onChange={(name) => put({ name })}
          />
          <TextField
            label={text('topic')}
            value={values.topic}
            maxLength={200}
            onChange={(topic) => put({ topic })}
          />
        </>
      )}
      {capabilities?.has('set-channel-cooldown') && (
        <SlowMode value={values.cooldown} onChange={(cooldown) => put({ cooldown })} />
      )}
      {capabilities?.has('freeze-channel') && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={values.frozen}
            onChange={(event) => put({ frozen: event.target.checked })}
          />
          {text('freeze')}
        </label>
      )}
      <Button submit variant="primary" wide busy={isBusy}>
        {text('save')}
      </Button>
    </form>
  );
}

const pauses = [0, 10, 30, 60, 300, 900, 3600];

type SlowModeProps = { value: number; onChange: (seconds: number) => void };

function SlowMode({ value, onChange }: SlowModeProps) {
  const text = useTexts(lateChannelTexts);
  const id = useId();
  const nameOf = (seconds: number): string => {
    if (seconds === 0) return text('slowModeOff');
    if (seconds < 120) return text('slowModeSeconds', { count: seconds });
    return text('slowModeMinutes', { count: Math.round(seconds / 60) });
  };
  const shown = pauses.includes(value) ? pauses : [...pauses, value].sort((a, b) => a - b);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{text('slowMode')}</label>
      <select
        id={id}
        className={styles.select}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {shown.map((seconds) => (
          <option key={seconds} value={seconds}>
            {nameOf(seconds)}
          </option>
        ))}
      </select>
    </div>
  );
}

function DangerActs({ cid, onClose, onGone, ask }: ChannelSettingsDialogProps) {
  const text = useTexts(lateChannelTexts);
  const { channels } = useClient();
  const { act } = useChannelAct();
  const capabilities = useChannel(cid, (state) => state?.capabilities);
  const mayTruncate = capabilities?.has('truncate-channel');
  const mayDelete = capabilities?.has('delete-channel');
  if (!mayTruncate && !mayDelete) return null;
  const askFor = (kind: 'truncate' | 'delete', onConfirm: () => void) => {
    onClose();
    ask({ title: text(`${kind}Title`), hint: text(`${kind}Hint`), label: text(kind), onConfirm });
  };
  return (
    <div className={styles.danger}>
      {mayTruncate && (
        <Button onClick={() => askFor('truncate', () => act(() => channels.truncate(cid)))}>
          {text('truncate')}
        </Button>
      )}
      {mayDelete && (
        <Button
          variant="danger"
          onClick={() => askFor('delete', () => act(() => channels.delete(cid), onGone))}
        >
          {text('delete')}
        </Button>
      )}
    </div>
  );
}
