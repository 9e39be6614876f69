import type { ParleyClient } from '@parley/client';
import type { Reminder } from '@parley/client/reminders';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { useEffect, useRef } from 'react';
import { attention } from '../../chat/attention.ts';
import { useClient, useFeature } from '../../chat/client-provider.tsx';
import { useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { useNotices } from '../../ui/notices.tsx';
import { lateReminderTexts } from './late-texts.ts';
import { type Later, laterBox } from './later-box.ts';

export type LaterSyncProps = {
  onOpenReminder: (reminder: Reminder) => void;
  onOpenReminders: () => void;
  onOpenScheduled: () => void;
};

/** Copies reminders and scheduled messages to where rows and the sidebar read them; returns its stop. */
const fillBox = (client: ParleyClient, put: (later: Later) => void): (() => void) => {
  const reminders = client.feature(remindersFeature);
  const scheduled = client.feature(scheduledMessages);
  const copy = () =>
    put({
      reminders: reminders.all.get(),
      overdue: reminders.groups.get().overdue.length,
      scheduled: scheduled.all.get().length,
    });
  const stops = [reminders.all.subscribe(copy), scheduled.all.subscribe(copy)];
  copy();
  return () => {
    for (const stop of stops) stop();
  };
};

/** A notification of the browser, where it is allowed and nobody looks at the page. Two tabs show one, by its tag. */
type SystemNotification = { title: string; body: string; tag: string; open: () => void };
const showSystemNotification = ({ title, body, tag, open }: SystemNotification): void => {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted' || attention.get()) return;
  try {
    const shown = new Notification(title, { body, tag: `parley reminder ${tag}` });
    shown.onclick = () => {
      globalThis.focus();
      shown.close();
      open();
    };
  } catch {
    // Some browsers of phones have the constructor, and it throws; the notice inside the page is shown.
  }
};

/** Coalesces items that come together, for instance after a night away, into one call. */
const coalesce = <T,>(handle: (all: T[]) => void) => {
  let waiting: T[] = [];
  return (one: T): void => {
    waiting.push(one);
    if (waiting.length > 1) return;
    setTimeout(() => {
      handle(waiting);
      waiting = [];
    }, 50);
  };
};

function useLaterNotices(props: LaterSyncProps) {
  const notices = useNotices();
  const text = useTexts(lateReminderTexts);
  const carriedText = useTexts(attachmentTexts);
  const one = (reminder: Reminder) => {
    const { message, note } = reminder;
    const words = message ? previewOf(summaryOf(message, carriedText)) : '';
    const said = message?.deleted_at === undefined ? words : text('deleted');
    notices.show({
      title: note ?? `${text('dueTitle')}: ${said}`,
      ...(note !== undefined && { detail: said }),
      action: { label: text('open'), onSelect: () => props.onOpenReminder(reminder) },
      isImportant: true,
    });
    showSystemNotification({
      title: text('dueTitle'),
      body: note ?? words,
      tag: reminder.message_id,
      open: () => props.onOpenReminder(reminder),
    });
  };
  const many = (count: number) =>
    notices.show({
      title: text('dueMany', { count }),
      action: { label: text('see'), onSelect: props.onOpenReminders },
      isImportant: true,
    });
  const failed = (why: string) =>
    notices.show({
      title: text('scheduledFailedTitle'),
      detail: why,
      tone: 'danger',
      action: { label: text('open'), onSelect: props.onOpenScheduled },
    });
  return { due: (all: Reminder[]) => (all.length > 3 ? many(all.length) : all.forEach(one)), failed };
}

/** Shows a notice for each reminder that falls due and each message that could not be sent, while it is mounted. */
export function LaterSync(props: LaterSyncProps) {
  const client = useClient();
  const later = useFeature(laterBox);
  const show = useLaterNotices(props);
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  useEffect(() => {
    const reminders = client.feature(remindersFeature);
    const scheduled = client.feature(scheduledMessages);
    const stops = [
      fillBox(client, later.set),
      reminders.onDue(coalesce((all) => latest.current.due(all))),
      scheduled.onFailed(({ error }) => latest.current.failed(error ?? '')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, later]);
  return null;
}
