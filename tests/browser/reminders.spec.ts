import { expect, type Page, test } from '@playwright/test';
import {
  asServer,
  beginChannel,
  composer,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  say,
  signIn,
} from './people.ts';

declare global {
  interface Window {
    madeNotifications: { body: string }[];
  }
}

let mei: Person;
let bo: Person;
const title = fresh('Reminded');

/** The browser's notifications as the page makes them; nobody is asked before a press. */
const countNotifications = () => {
  const made: { title: string; body: string; tag: string }[] = [];
  let permission: NotificationPermission = 'default';
  class Counted {
    onclick = null;
    static get permission() {
      return permission;
    }
    static requestPermission() {
      permission = 'granted';
      return Promise.resolve(permission);
    }
    constructor(name: string, { body = '', tag = '' }: NotificationOptions = {}) {
      made.push({ title: name, body, tag });
    }
    close() {}
  }
  Object.assign(globalThis, { Notification: Counted, madeNotifications: made });
};

test.beforeAll(async ({ browser }) => {
  mei = await signIn(browser, /Mei-Lin Chou/);
  bo = await signIn(browser, /Bo Lindqvist/);
  await mei.context.addInitScript(countNotifications);
  await mei.page.reload();
  await beginChannel(mei.page, title, ['Bo Lindqvist']);
  await openConversation(bo.page, title);
});

test.afterAll(() => leave(mei, bo));

const ownId = 'mei';
const reminders = (page: Page) => page.getByRole('link', { name: /^Reminders/ });
const section = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name });
const dialog = (page: Page) => page.getByRole('dialog');

/** A page that nobody looks at keeps its notices, and they lie over the last messages. Their buttons are hidden from roles until one points at them. */
const dismissAll = async (page: Page): Promise<void> => {
  const close = page.getByRole('button', { name: 'Dismiss', includeHidden: true });
  await expect(async () => {
    for (const button of await close.all()) await button.click({ timeout: 1000 }).catch(() => undefined);
    await expect(close).toHaveCount(0, { timeout: 500 });
  }).toPass();
};

/** The menu of a message; what slides into place is looked for again. */
const act = (page: Page, text: string, action: RegExp): Promise<void> =>
  expect(async () => {
    const row = message(page, text);
    const entry = page.getByRole('menuitem', { name: action });
    // A menu that is open may cover the row.
    if (!(await entry.isVisible())) {
      await dismissAll(page);
      await page.mouse.move(0, 0);
      await row.hover({ timeout: 5000 });
      await row.getByRole('button', { name: 'More actions' }).click({ timeout: 5000 });
    }
    await entry.click({ timeout: 5000 });
  }).toPass();

const reminderOf = async (text: string) => {
  const { reminders: all } = await asServer().http.call('POST /reminders/query', {
    actor: ownId,
    body: { limit: 100 },
  });
  return all.find((one) => one.message?.text === text || one.note === text);
};
/** Lets it fall due in a moment: nobody waits twenty minutes. */
const fallDue = async (text: string): Promise<void> => {
  const id = (await reminderOf(text))?.message_id ?? '';
  const remind_at = new Date(Date.now() + 1200).toISOString();
  await asServer().http.call('PATCH /messages/{id}/reminders', {
    path: { id },
    actor: ownId,
    body: { remind_at },
  });
};

const notifications = (page: Page) => page.evaluate(() => window.madeNotifications);
const localTime = (ms: number): string => {
  const at = new Date(Date.now() + ms);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

test('P4 a reminder is set from the message menu, listed, changed, leads to its message, and is done', async () => {
  const { page } = mei;
  const text = fresh('The build is red');
  await say(bo.page, text);

  await act(page, text, /Remind me/);
  await dialog(page)
    .getByRole('button', { name: /In 1 hour/ })
    .click();
  await expect(page.getByText(/You'll be reminded/)).toBeVisible();
  await expect(message(page, text).getByRole('button', { name: /^Reminder: / })).toBeVisible();
  await expect(message(bo.page, text)).not.toContainText('Reminder');

  await reminders(page).click();
  const row = section(page, 'Upcoming').getByRole('listitem').filter({ hasText: text });
  await expect(row).toContainText('Bo Lindqvist');
  await row.getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Note (only you see it)').fill('ask who broke it');
  await dialog(page).getByLabel('Date and time').fill(localTime(-60_000));
  await dialog(page).getByRole('button', { name: 'Set' }).click();
  await expect(dialog(page).getByText('Choose a time in the future')).toBeVisible();
  await dialog(page)
    .getByLabel('Date and time')
    .fill(localTime(3 * 86_400_000));
  await dialog(page).getByRole('button', { name: 'Set' }).click();
  await expect(row).toContainText('ask who broke it');

  await row.getByRole('button', { name: new RegExp(text) }).click();
  await expect(message(page, text)).toBeInViewport();
  await reminders(page).click();
  await row.getByRole('button', { name: 'Done' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('ask who broke it');
  await row.getByRole('button', { name: 'Done' }).click();
  await expect(row).toHaveCount(0);
});

test('P4 a message is saved for later and found again on another device', async ({ browser }) => {
  const { page } = mei;
  const text = fresh('Read this some day');
  await openConversation(page, title);
  await say(bo.page, text);
  await act(page, text, /Save for later/);
  await expect(message(page, text).getByRole('button', { name: 'Saved for later' })).toBeVisible();

  const other = await signIn(browser, /Mei-Lin Chou/);
  await reminders(other.page).click();
  await expect(section(other.page, 'Saved for later')).toContainText(text);
  await act(page, text, /Remove from saved/);

  await expect(other.page.getByRole('main').getByText(text)).toHaveCount(0);
  await expect(message(page, text).getByRole('button', { name: 'Saved for later' })).toHaveCount(0);
  await other.context.close();
});

test('P4 a due reminder is shown once, inside the page and outside it where that was allowed', async () => {
  const { page } = mei;
  const [text, later] = [fresh('Due soon'), fresh('Due while away')];
  await openConversation(page, title);
  await say(bo.page, text);
  await say(bo.page, later);
  await act(page, text, /Remind me/);
  await dialog(page)
    .getByRole('button', { name: /In 20 minutes/ })
    .click();
  await expect(message(page, text).getByRole('button', { name: /^Reminder: / })).toBeVisible();
  await fallDue(text);

  const notice = page.getByText(`Reminder: ${text}`);
  await expect(notice).toBeVisible();
  expect(await notifications(page)).toEqual([]);
  await expect(reminders(page)).toContainText('1');
  await openConversation(page, 'general');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(message(page, text)).toBeInViewport();
  await expect(message(page, text).getByRole('button', { name: /^Overdue: / })).toBeVisible();

  await dismissAll(page);
  await act(page, later, /Remind me/);
  await dialog(page).getByRole('button', { name: 'Also notify on this device' }).click();
  await dialog(page)
    .getByRole('button', { name: /In 20 minutes/ })
    .click();
  await expect(message(page, later).getByRole('button', { name: /^Reminder: / })).toBeVisible();
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await fallDue(later);
  await expect.poll(async () => (await notifications(page)).map(({ body }) => body)).toEqual([later]);
  await page.evaluate(() => {
    document.hasFocus = () => true;
  });

  await reminders(page).click();
  await expect(section(page, 'Overdue').getByRole('listitem')).toHaveCount(2);
  for (const _ of [1, 2]) {
    await section(page, 'Overdue').getByRole('button', { name: 'Done' }).first().click();
    await dismissAll(page);
  }
  await expect(page.getByText('No reminders')).toBeVisible();
});

test('P4 a reminder that fell due while the page was closed is shown when it opens again, once', async () => {
  const { page } = mei;
  const text = fresh('Overnight');
  await openConversation(page, title);
  await say(bo.page, text);
  await act(page, text, /Remind me/);
  await dialog(page)
    .getByRole('button', { name: /Tomorrow/ })
    .click();
  await expect(message(page, text).getByRole('button', { name: /^Reminder: / })).toBeVisible();
  await page.goto('about:blank');
  await fallDue(text);
  await expect.poll(async () => (await reminderOf(text))?.notified_at).toBeTruthy();

  await page.goto('/');
  await expect(page.getByText(`Reminder: ${text}`)).toBeVisible();
  await page.reload();
  await reminders(page).click();
  await expect(section(page, 'Overdue')).toContainText(text);
  await expect(page.getByText(`Reminder: ${text}`)).toHaveCount(0);
  await section(page, 'Overdue').getByRole('button', { name: 'Done' }).first().click();
});

test('M7 P4 /remind sets a reminder that nobody else sees; what it cannot read stays in the composer', async () => {
  const { page } = mei;
  const note = fresh('look at the build');
  await openConversation(page, title);
  await say(bo.page, fresh('Something to hang it on'));

  for (const bad of ['/remind look at the build', '/remind 2020-01-01 too late']) {
    await composer(page).fill(bad);
    await composer(page).press('Enter');
    await expect(
      feed(page)
        .getByText(/Say when|That time is over/)
        .last(),
    ).toBeVisible();
    await expect(composer(page)).toHaveValue(bad);
  }
  await composer(page).fill(`/remind in 20 minutes ${note}`);
  await composer(page).press('Enter');
  await expect(feed(page).getByText(/You'll be reminded/)).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await expect(feed(bo.page)).not.toContainText(note);
  await fallDue(note);

  await expect(page.getByRole('dialog').or(page.locator('body')).getByText(note).first()).toBeVisible();
  await reminders(page).click();
  await expect(section(page, 'Overdue')).toContainText(note);
});

test('P4 a message is sent later: listed, changed, cancelled, sent; a refusal is shown and the text kept', async () => {
  const { page } = mei;
  const [text, changed] = [fresh('Good morning'), fresh('Good morning all')];
  const scheduled = page.getByRole('link', { name: /^Scheduled/ });
  const rows = page.getByRole('main').getByRole('listitem');
  await openConversation(page, title);
  const later = async (words: string) => {
    await composer(page).fill(words);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: /In 20 minutes/ }).click();
    await expect(composer(page)).toHaveValue('');
  };
  const sendSoon = async (words: string, ms = 1000): Promise<void> => {
    const { scheduled_messages: all } = await asServer().http.call('POST /scheduled_messages/query', {
      actor: ownId,
      body: { limit: 100 },
    });
    const id = all.find((one) => one.message.text === words)?.id ?? '';
    const send_at = new Date(Date.now() + ms).toISOString();
    await asServer().http.call('PATCH /scheduled_messages/{id}', {
      path: { id },
      actor: ownId,
      body: { send_at },
    });
  };
  await later(text);
  await scheduled.click();
  await rows.filter({ hasText: text }).getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Message').fill(changed);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(rows.filter({ hasText: changed })).toBeVisible();
  await expect(bo.page.getByRole('main')).not.toContainText(changed);
  await sendSoon(changed);
  await expect(message(bo.page, changed)).toBeVisible();
  await expect(rows.filter({ hasText: changed })).toHaveCount(0);

  const [dropped, refused] = [fresh('Never mind'), fresh('Not allowed')];
  await openConversation(page, title);
  await later(dropped);
  await later(refused);
  await scheduled.click();
  await rows.filter({ hasText: dropped }).getByRole('button', { name: 'Cancel sending' }).click();
  await expect(rows.filter({ hasText: dropped })).toHaveCount(0);
  await sendSoon(refused, 3000);
  const { channels } = await asServer().http.call('POST /channels', { body: { filter: { name: title } } });
  const [type = '', id = ''] = (channels[0]?.channel.cid ?? '').split(':');
  const body = { set: { frozen: true } };
  await asServer().http.call('PATCH /channels/{type}/{id}', { path: { type, id }, body });

  await expect(page.getByText("Couldn't send a scheduled message").first()).toBeVisible();
  await expect(rows.filter({ hasText: refused })).toContainText("Couldn't send");
});
