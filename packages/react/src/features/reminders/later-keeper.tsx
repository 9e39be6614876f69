import type { ParleyClient } from '@parley/client';
import type { Reminder } from '@parley/client/reminders';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { useEffect, useRef } from 'react';
import { attention } from '../../chat/attention.ts';
import { useClient, useFeature } from '../../chat/client-provider.tsx';
import { useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/markdown-marks.ts';
import { saidIn } from '../../summary/said-in.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { useNotices } from '../../ui/notices.tsx';
import { lateReminderTexts } from './late-texts.ts';
import { type Later, laterBox } from './later-box.ts';

export type LaterKeeperProps = {
  onOpenReminder: (reminder: Reminder) => void;
  onOpenReminders: () => void;
  onOpenScheduled: () => void;
};

/** Keeps rows and the sidebar told of what waits; returns its stop. */
const fillBox = (client: ParleyClient, put: (later: Later) => void): (() => void) => {
  const reminders = client.feature(remindersFeature);
  const scheduled = client.feature(scheduledMessages);
  const take = () =>
    put({
      reminders: reminders.all.get(),
      overdue: reminders.groups.get().overdue.length,
      scheduled: scheduled.all.get().length,
    });
  const stops = [reminders.all.subscribe(take), scheduled.all.subscribe(take)];
  take();
  return () => {
    for (const stop of stops) stop();
  };
};

/** Outside the page, where that was allowed and nobody looks at the page. Two tabs show one: they name it alike. */
type Outside = { title: string; body: string; tag: string; open: () => void };
const showOutside = ({ title, body, tag, open }: Outside): void => {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted' || attention.get()) return;
  try {
    const shown = new Notification(title, { body, tag: `parley reminder ${tag}` });
    shown.onclick = () => {
      globalThis.focus();
      shown.close();
      open();
    };
  } catch {
    // Some browsers of phones have the name and not the thing; the notice inside the page is there.
  }
};

/** Those that come together, for instance after a night away, are told as one. */
const gather = <T,>(tell: (all: T[]) => void) => {
  let waiting: T[] = [];
  return (one: T): void => {
    waiting.push(one);
    if (waiting.length > 1) return;
    setTimeout(() => {
      tell(waiting);
      waiting = [];
    }, 50);
  };
};

function useTold(props: LaterKeeperProps) {
  const notices = useNotices();
  const text = useTexts(lateReminderTexts);
  const carriedText = useTexts(attachmentTexts);
  const one = (reminder: Reminder) => {
    const { message, note } = reminder;
    const words = message ? previewOf(saidIn(message, carriedText)) : '';
    const said = message?.deleted_at === undefined ? words : text('deleted');
    notices.show({
      title: note ?? `${text('dueTitle')}: ${said}`,
      ...(note !== undefined && { detail: said }),
      action: { label: text('open'), onSelect: () => props.onOpenReminder(reminder) },
      isImportant: true,
    });
    showOutside({
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

/** Tells what falls due and what could not be sent, while it is mounted. */
export function LaterKeeper(props: LaterKeeperProps) {
  const client = useClient();
  const later = useFeature(laterBox);
  const told = useTold(props);
  const latest = useRef(told);
  useEffect(() => {
    latest.current = told;
  });
  useEffect(() => {
    const reminders = client.feature(remindersFeature);
    const scheduled = client.feature(scheduledMessages);
    const stops = [
      fillBox(client, later.set),
      reminders.onDue(gather((all) => latest.current.due(all))),
      scheduled.onFailed(({ error }) => latest.current.failed(error ?? '')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, later]);
  return null;
}
