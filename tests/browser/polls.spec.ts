import { expect, type Page, test } from '@playwright/test';
import {
  act,
  composer,
  feed,
  fresh,
  leave,
  message,
  openConversation,
  type Person,
  readAll,
  say,
  signIn,
  signInAt,
} from './people.ts';

let ana: Person;
let priya: Person;

test.beforeAll(async ({ browser }) => {
  await readAll(/Ana Ribeiro/, /Priya Raman/);
  ana = await signIn(browser, /Ana Ribeiro/);
  priya = await signIn(browser, /Priya Raman/);
  for (const { page } of [ana, priya]) await openConversation(page, 'general');
});
test.afterAll(() => leave(ana, priya));

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New poll' });
const poll = (page: Page, question: string) => feed(page).getByRole('region', { name: `Poll: ${question}` });
const option = (page: Page, question: string, text: string) =>
  poll(page, question).getByRole('button', { name: new RegExp(`^${text}, `) });

/** Opens the dialog by the command, with the question filled in. */
const begin = async (page: Page, question: string) => {
  await composer(page).fill(`/poll ${question}`);
  await composer(page).press('Enter');
  await expect(dialog(page).getByRole('textbox', { name: 'Question' })).toHaveValue(question);
};
const fillOptions = async (page: Page, texts: string[]) => {
  for (const [index, text] of texts.entries())
    await dialog(page)
      .getByRole('textbox', { name: `Option ${index + 1}`, exact: true })
      .fill(text);
};
const send = async (page: Page, question: string) => {
  await dialog(page).getByRole('button', { name: 'Send poll' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(poll(page, question)).toBeVisible();
};

test('P3 the question has the focus, and keeps it when another device of the same person quotes', async ({
  browser,
}) => {
  const { page } = priya;
  const other = await signInAt(browser, /Priya Raman/, 'general');
  const text = fresh('Quoted elsewhere');
  await say(other.page, text);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Create a poll' }).click();
  const question = dialog(page).getByRole('textbox', { name: 'Question' });
  await expect(question).toBeFocused();

  await act(other.page, text, /^Reply$/);
  await expect(page.getByText('Replying to')).toBeAttached();

  await expect(question).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeFocused();
  await composer(other.page).press('Escape');
  await expect(page.getByText('Replying to')).toHaveCount(0);
  await leave(other);
});

test('P3 the four errors are shown while typing, and the poll is not sent with them', async () => {
  const { page } = ana;
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Create a poll' }).click();
  const box = dialog(page);
  const question = box.getByRole('textbox', { name: 'Question' });
  await expect(question).toBeFocused();

  await question.fill('x');
  await expect(box.getByText('Question is required')).toBeHidden();
  await question.fill('  ');
  await expect(box.getByText('Question is required')).toBeVisible();
  await fillOptions(page, ['Tea', 'tea ']);
  await expect(box.getByText('Option already exists')).toBeVisible();
  await fillOptions(page, ['Tea', '']);
  await expect(box.getByText('Option is empty')).toBeVisible();
  await box.getByRole('checkbox', { name: 'Multiple answers' }).check();
  await box.getByRole('checkbox', { name: 'Limit answers per person' }).check();
  const limit = box.getByRole('textbox', { name: 'Answers per person' });
  for (const wrong of ['1', '11', 'two', '']) {
    await limit.fill(wrong);
    await expect(box.getByText('Type a number from 2 to 10')).toBeVisible();
  }
  await limit.fill('10');
  await expect(box.getByText('Type a number from 2 to 10')).toBeHidden();
  await box.getByRole('button', { name: 'Send poll' }).click();

  await expect(box.getByText('Question is required')).toBeVisible();
  await expect(question).toBeFocused();
  await box.getByRole('button', { name: 'Cancel' }).click();
  await expect(box).toBeHidden();
});

test('P3 letters that are composed of several keys stay whole in the question and in the options', async () => {
  const { page, context } = ana;
  await begin(page, '');
  const keyboard = await context.newCDPSession(page);
  const compose = async (...steps: string[]) => {
    for (const text of steps)
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
  };
  const box = dialog(page);
  const fields = [
    box.getByRole('textbox', { name: 'Question' }),
    box.getByRole('textbox', { name: 'Option 1' }),
  ];
  for (const field of fields) {
    await field.focus();
    await compose('に', 'にほ', 'にほん');
    await expect(field).toHaveValue('にほん');
    await expect(field).toBeFocused();
    await keyboard.send('Input.insertText', { text: '日本' });
    await expect(field).toHaveValue('日本');
  }

  await expect(box.getByText(/required|already exists|is empty/)).toHaveCount(0);
  await keyboard.detach();
  await box.getByRole('button', { name: 'Cancel' }).click();
  await expect(box).toBeHidden();
  // The command stays in the composer, and as a draft it would come into the next window of this user.
  await say(page, fresh('No poll then'));
});

test('P1 options move by keyboard and by drag, and go in that order', async () => {
  const { page } = ana;
  const question = fresh('In which order');
  await begin(page, question);
  await fillOptions(page, ['One', 'Two', 'Three']);
  const handle = (text: string) => dialog(page).getByRole('button', { name: new RegExp(`^Move ${text}:`) });
  const texts = () =>
    dialog(page)
      .getByRole('textbox', { name: /^Option/ })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value).filter(Boolean));

  await handle('Three').focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(texts).toEqual(['One', 'Three', 'Two']);
  await expect(handle('Three')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect.poll(texts).toEqual(['Three', 'One', 'Two']);
  const from = await handle('Three').boundingBox();
  const to = await handle('Two').boundingBox();
  if (!from || !to) throw new Error('A handle is not drawn');
  await page.mouse.move(from.x + 5, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect.poll(texts).toEqual(['One', 'Two', 'Three']);

  await send(page, question);
  await expect(poll(page, question).getByRole('listitem')).toHaveText([/One/, /Two/, /Three/]);
  await expect(composer(page)).toHaveValue('');
});

test('P2 two people vote, see the totals live, change, comment, suggest, and one closes the poll', async () => {
  const question = fresh('Lunch on Friday');
  await begin(ana.page, question);
  await fillOptions(ana.page, ['Soup', 'Salad']);
  await dialog(ana.page).getByRole('checkbox', { name: 'Let others suggest options' }).check();
  await dialog(ana.page).getByRole('checkbox', { name: 'Let others comment' }).check();
  await send(ana.page, question);

  await option(priya.page, question, 'Soup').click();
  await expect(option(priya.page, question, 'Soup')).toHaveAttribute('aria-pressed', 'true');
  await expect(option(ana.page, question, 'Soup')).toHaveAccessibleName('Soup, 1 vote');
  await option(ana.page, question, 'Soup').click();
  await expect(option(priya.page, question, 'Soup')).toHaveAccessibleName('Soup, 2 votes');
  await option(priya.page, question, 'Salad').click();
  await expect(option(ana.page, question, 'Soup')).toHaveAccessibleName('Soup, 1 vote');
  await expect(option(ana.page, question, 'Salad')).toHaveAccessibleName('Salad, 1 vote');

  await poll(priya.page, question).getByRole('button', { name: 'Suggest an option' }).click();
  const words = priya.page.getByRole('dialog', { name: 'Suggest an option' });
  await words.getByRole('textbox').fill(' soup');
  await expect(words.getByText('Option already exists')).toBeVisible();
  await words.getByRole('textbox').fill('Dosa');
  await words.getByRole('button', { name: 'Send' }).click();
  await expect(words).toBeHidden();
  await expect(option(ana.page, question, 'Dosa')).toBeVisible();
  await poll(priya.page, question).getByRole('button', { name: 'Add a comment' }).click();
  const comment = priya.page.getByRole('dialog', { name: 'Add a comment' });
  await comment.getByRole('textbox').fill('Not too spicy');
  await comment.getByRole('button', { name: 'Send' }).click();
  await expect(comment).toBeHidden();

  await poll(ana.page, question).getByRole('button', { name: '1 comment' }).click();
  const comments = ana.page.getByRole('dialog', { name: 'Comments' });
  await expect(comments).toContainText('Not too spicy');
  await ana.page.keyboard.press('Escape');
  await expect(comments).toBeHidden();
  await poll(ana.page, question).getByRole('button', { name: 'View results' }).click();
  const results = ana.page.getByRole('dialog', { name: 'Results' });
  await expect(results.getByRole('region', { name: 'Salad' })).toContainText('Priya Raman');
  await option(priya.page, question, 'Salad').click();
  await expect(results.getByRole('region', { name: 'Salad' })).toContainText('0 votes');
  await ana.page.keyboard.press('Escape');
  await expect(results).toBeHidden();

  await poll(ana.page, question).getByRole('button', { name: 'Poll actions' }).click();
  await ana.page.getByRole('menuitem', { name: 'Close poll' }).click();
  await expect(ana.page.getByRole('menu')).toBeHidden();
  await expect(poll(priya.page, question).getByText('Closed')).toBeVisible();
  await expect(option(priya.page, question, 'Soup')).toHaveAttribute('aria-disabled', 'true');
  await expect(poll(priya.page, question).getByRole('button', { name: 'Poll actions' })).toHaveCount(0);
});

test('P2 anonymous votes show no names; the poll is quoted, answered in a thread, and survives a reload', async () => {
  const question = fresh('Who is tired');
  await begin(ana.page, question);
  await fillOptions(ana.page, ['Me', 'Not me']);
  await dialog(ana.page)
    .getByRole('checkbox', { name: /Anonymous voting/ })
    .check();
  await send(ana.page, question);

  await option(priya.page, question, 'Me').click();
  await expect(option(ana.page, question, 'Me')).toHaveAccessibleName('Me, 1 vote');
  await poll(ana.page, question).getByRole('button', { name: 'View results' }).click();
  const results = ana.page.getByRole('dialog', { name: 'Results' });
  await expect(results).toContainText('1 vote');
  await expect(results).not.toContainText('Priya');
  await ana.page.keyboard.press('Escape');
  await expect(results).toBeHidden();

  await priya.page.reload();
  await expect(option(priya.page, question, 'Me')).toHaveAttribute('aria-pressed', 'true');
  await act(priya.page, question, /^Reply$/);
  const reply = fresh('Same here');
  await say(priya.page, reply);
  await expect(message(ana.page, reply)).toContainText(`📊 ${question}`);
});

test('P3 a poll whose drawing fails is replaced by a text, and the messages around it stand', async ({
  browser,
}) => {
  // The page keeps the broken part: the journey has one of its own.
  const { page, context } = await signInAt(browser, /Priya Raman/, 'general');
  const before = fresh('Before the poll');
  await say(page, before);
  const question = fresh('Does it hold?');
  await begin(page, question);
  await fillOptions(page, ['Yes', 'No']);
  await send(page, question);
  await page.route(/\/assets\/poll-bubble-.*\.js/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: "export function PollBubble() { throw new Error('broken'); }",
    }),
  );

  await page.reload();
  await openConversation(page, 'general');

  await expect(message(page, "This part can't be shown.").last()).toBeVisible();
  await expect(message(page, before)).toBeVisible();
  await say(page, fresh('Still writing'));
  await context.close();
});
