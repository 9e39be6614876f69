import { expect, test } from '@playwright/test';
import { beginChannel, composer, conversation, fresh, leave, type Person, signIn } from './people.ts';

declare global {
  interface Window {
    noteProgress(label: string): void;
  }
}

let bo: Person;
let priya: Person;
const names = ['One', 'Two', 'Three'].map((word) => fresh(`Old plan ${word}`));
const kept = fresh('Plan to keep');

test.beforeAll(async ({ browser }) => {
  bo = await signIn(browser, /Bo Lindqvist/);
  priya = await signIn(browser, /Priya Raman/);
  for (const name of [...names, kept]) await beginChannel(bo.page, name, ['Priya Raman']);
});
test.afterAll(() => leave(bo, priya));

const goThere = async ({ page }: Person) => {
  await page.getByRole('button', { name: /account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Delete conversations' }).click();
};
const list = ({ page }: Person) => page.getByRole('list', { name: 'Select conversations' });

test('M14 several conversations are deleted at once: the progress shows, and they go for both', async () => {
  const { page } = bo;
  for (const name of names) await expect(conversation(priya.page, name)).toBeVisible();
  await conversation(priya.page, names[0] ?? '').click();
  await expect(composer(priya.page)).toBeVisible();
  const seen: string[] = [];
  await page.exposeFunction('noteProgress', (label: string) => void seen.push(label));
  await page.evaluate(() => {
    new MutationObserver(() => {
      const label = document.querySelector('progress')?.getAttribute('aria-label');
      if (label) window.noteProgress(label);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await goThere(bo);
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  for (const name of names)
    await list(bo)
      .getByRole('checkbox', { name: new RegExp(name) })
      .check();
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Delete 3' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

  await expect(page.getByRole('status').filter({ hasText: '3 conversations deleted' })).toBeVisible();
  expect(seen.at(0)).toBe('Deleting 0 of 3');
  expect(seen.at(-1)).toBe('Deleting 3 of 3');
  for (const name of names) {
    await expect(conversation(page, name)).toHaveCount(0);
    await expect(conversation(priya.page, name)).toHaveCount(0);
  }
  await expect(conversation(priya.page, kept)).toBeVisible();
  await expect(priya.page.getByRole('heading', { name: 'Conversation not found' })).toBeVisible();
});

test('M14 only what one may delete is offered', async () => {
  await goThere(priya);

  await expect(priya.page.getByRole('main')).toContainText(
    /You can delete these conversations|Nothing to delete/,
  );
  await expect(list(priya).getByText(kept)).toHaveCount(0);
});
