import { type Browser, chromium, expect, type Locator, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';
import { act, asServer, composer, feed, fresh, message, openConversation, say, signIn } from './people.ts';

declare global {
  interface Window {
    live(): number;
  }
}

const sound = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

// Only here has the browser a microphone; the others run in one without.
let speaking: Browser;
test.beforeAll(async ({ launchOptions }) => {
  const options = launchOptions as { executablePath?: string; args?: string[] };
  speaking = await chromium.launch({ ...options, args: [...(options.args ?? []), ...sound] });
});
test.afterAll(() => speaking.close());

const panelIn = (place: Page | Locator) => place.getByRole('region', { name: 'Voice message' });
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });

/** The microphones that the page holds: the browser's own list of live tracks. */
const watchMicrophones = (page: Page) =>
  page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { live: () => tracks.filter(({ readyState }) => readyState === 'live').length });
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
const live = (page: Page) => page.evaluate(() => window.live());

const enter = async (options: Parameters<Browser['newContext']>[0] = {}) => {
  const { baseURL = '' } = test.info().project.use;
  const person = await signIn(speaking, /Ana Ribeiro/, { baseURL, locale: 'en-GB', ...options });
  await watchMicrophones(person.page);
  await person.page.reload();
  await openConversation(person.page, 'Bo Lindqvist');
  return person;
};

const idOf = async (article: Locator) =>
  (await article.locator('xpath=ancestor::*[@data-key][1]').getAttribute('data-key')) ?? '';

test('A1 a voice message is recorded, paused, listened to and sent; the microphone is free again', async () => {
  const { page, context } = await enter();
  const panel = panelIn(page);
  await button(page.getByRole('main'), 'Voice message').click();
  await expect(button(panel, 'Pause')).toBeFocused();
  expect(await live(page)).toBe(1);
  await expect(panel.getByRole('timer')).toHaveText(/0:(0[2-9]|[1-5])/);
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('status')).toHaveText('Paused');
  const time = await panel.getByRole('timer').innerText();
  // The test is about a time that stands still.
  await page.waitForTimeout(1500);
  await expect(panel.getByRole('timer')).toHaveText(time);
  expect(await violations(page, { within: 'main' })).toEqual([]);
  await button(panel, 'Resume').click();
  await expect(panel.getByRole('timer')).toHaveText(/0:(0[3-9]|[1-5])/);
  await button(panel, 'Stop and listen').click();

  await expect(button(panel, 'Play')).toBeFocused();
  expect(await live(page)).toBe(0);
  await page.keyboard.press('Enter');
  await expect(button(panel, 'Pause')).toBeVisible();
  await expect(button(panel, 'Play')).toBeVisible();
  expect(await violations(page, { within: 'main' })).toEqual([]);
  const sent = page.waitForResponse((reply) => reply.url().endsWith('/message') && reply.ok());
  await button(panel, 'Send the voice message').click();

  const { message: said } = await (await sent).json();
  await expect(panel).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
  const [voice] = (await asServer().messages.get(said.id)).attachments;
  expect(voice).toMatchObject({ type: 'voiceRecording', mime_type: 'audio/webm' });
  expect(voice?.duration).toBeGreaterThan(2.5);
  expect(voice?.duration).toBeLessThan(6);
  expect(voice?.file_size).toBeGreaterThan(2000);
  expect(voice?.waveform_data?.length).toBeGreaterThan(20);
  expect(Math.max(...(voice?.waveform_data ?? []))).toBe(1);
  await context.close();
});

test('A1 sent while it is still recorded, as an answer, in a thread, and after leaving and coming back', async () => {
  const { page, context } = await enter();
  const words = fresh('say it aloud');
  await say(page, words);
  await act(page, words, /^Reply$|^Quote/);
  await button(page.getByRole('main'), 'Voice message').click();
  await expect(panelIn(page).getByRole('timer')).toHaveText(/0:(0[1-9]|[1-5])/);
  const quoted = page.waitForResponse((reply) => reply.url().endsWith('/message') && reply.ok());
  await button(panelIn(page), 'Send the voice message').click();
  const id = await idOf(message(page, words));
  expect((await (await quoted).json()).message.quoted_message_id).toBe(id);
  expect(await live(page)).toBe(0);

  await act(page, words, /Reply in thread/);
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await button(thread, 'Add').click();
  await page.getByRole('menuitem', { name: 'Voice message' }).click();
  await expect(panelIn(thread).getByRole('timer')).toHaveText(/0:(0[1-9]|[1-5])/);
  await openConversation(page, 'general');
  await expect.poll(() => live(page)).toBe(0);
  await page.goBack();
  await expect(button(panelIn(thread), 'Play')).toBeVisible();
  const replied = page.waitForResponse((reply) => reply.url().endsWith('/message') && reply.ok());
  await button(panelIn(thread), 'Send the voice message').click();
  expect((await (await replied).json()).message.parent_id).toBe(id);
  await context.close();
});

test('A1 a recording is discarded, refused without a microphone, and not offered to who may not upload', async ({
  browser,
}) => {
  const { page, context } = await enter();
  // How many rows are drawn depends on their heights; the last one shows whether a message has come.
  const last = () => idOf(feed(page).getByRole('article').last());
  const before = await last();
  await button(page.getByRole('main'), 'Voice message').click();
  await expect(panelIn(page).getByRole('timer')).toHaveText(/0:(0[1-9]|[1-5])/);
  await button(panelIn(page), 'Discard the recording').click();
  await expect(panelIn(page)).toHaveCount(0);
  expect([await live(page), await last()]).toEqual([0, before]);
  await composer(page).fill('words');
  await expect(button(page.getByRole('main'), 'Voice message')).toHaveCount(0);
  await composer(page).fill('');
  await context.close();

  const mute = await signIn(browser, /Ana Ribeiro/);
  await mute.page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
  });
  await mute.page.reload();
  await openConversation(mute.page, 'Bo Lindqvist');
  await button(mute.page.getByRole('main'), 'Voice message').click();
  await expect(mute.page.getByText('Microphone access is blocked').first()).toBeVisible();
  await expect(panelIn(mute.page)).toHaveCount(0);
  await expect(composer(mute.page)).toBeVisible();

  const { channelTypes } = asServer();
  await channelTypes.update('team', { uploads: false });
  try {
    await openConversation(mute.page, 'random');
    await mute.page.reload();
    await expect(button(mute.page.getByRole('main'), 'Add emoji')).toBeVisible();
    await expect(button(mute.page.getByRole('main'), 'Voice message')).toHaveCount(0);
  } finally {
    await channelTypes.update('team', { uploads: true });
  }
  await mute.context.close();
});

test('A1 a voice message that cannot be uploaded is kept, and sent when it can be', async () => {
  const { page, context } = await enter();
  await button(page.getByRole('main'), 'Voice message').click();
  await expect(panelIn(page).getByRole('timer')).toHaveText(/0:(0[1-9]|[1-5])/);
  await page.route(/\/uploads\/file/, (route) =>
    route.fulfill({ status: 403, json: { code: 17, name: 'NotAllowed', message: 'no', status: 403 } }),
  );
  await button(panelIn(page), 'Send the voice message').click();
  await expect(page.getByText("Couldn't send the voice message. Try again.").first()).toBeVisible();
  await expect(button(panelIn(page), 'Play')).toBeVisible();

  await page.unroute(/\/uploads\/file/);
  await button(panelIn(page), 'Send the voice message').click();
  await expect(panelIn(page)).toHaveCount(0);
  await context.close();
});
