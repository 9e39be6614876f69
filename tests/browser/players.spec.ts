import { expect, type Page, test } from '@playwright/test';
import { filesIn, film, wav } from './files.ts';
import { feed, message, openConversation, type Person, signIn } from './people.ts';

declare global {
  interface Window {
    played: Set<HTMLMediaElement>;
  }
}

let bo: Person;

test.beforeAll(async ({ browser }) => {
  bo = await signIn(browser, /Bo Lindqvist/);
});
test.afterAll(async () => {
  await bo.context.close();
});

type Played = { at: number; speed: number; isPaused: boolean };

/** Records the sources that are played from now on, in order: audio elements are not in the page. */
const soundsOf = async (page: Page): Promise<() => Promise<Played[]>> => {
  await page.evaluate(() => {
    const played = new Set<HTMLMediaElement>();
    Object.assign(window, { played });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      played.add(this);
      return play.call(this);
    };
  });
  return () =>
    page.evaluate(() =>
      [...window.played].map(({ currentTime: at, playbackRate: speed, paused: isPaused }) => ({
        at,
        speed,
        isPaused,
      })),
    );
};

test('A1 a video has its controls and keeps its size, a sound its waveform, speed and keys', async () => {
  const { page } = bo;
  const files = await filesIn('players', 'Players');
  await files.sendFile('moving', 'film.webm', await film(page), { type: 'video' });
  await files.sendFile('sounding', 'tone.wav', wav(20), { type: 'audio' });
  await files.sendFile('speaking', 'voice.wav', wav(12), {
    type: 'voiceRecording',
    waveform_data: [0.2, 0.5, 1, 0.4],
  });
  await openConversation(page, 'Players');

  const video = message(page, 'moving').locator('video');
  await expect(video).toHaveAttribute('controls', '');
  await expect(video).toHaveAttribute('preload', 'metadata');
  await expect.poll(() => video.evaluate((one) => (one as HTMLVideoElement).readyState)).toBeGreaterThan(0);
  await expect(message(page, 'moving').getByLabel('Video: film.webm')).toBeVisible();

  const sound = message(page, 'sounding').getByRole('group', { name: 'tone.wav' });
  await expect(sound.locator('[data-past], [style*="block-size"]')).toHaveCount(48);
  await expect(sound.getByText('0:20')).toBeVisible();
  const track = sound.getByRole('slider', { name: 'Position' });
  await track.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(track).toHaveAttribute('aria-valuetext', '0:10 of 0:20');
  await page.keyboard.press('End');
  await expect(track).toHaveAttribute('aria-valuenow', '20');
  await page.keyboard.press('Home');
  await expect(track).toHaveAttribute('aria-valuenow', '0');
  await sound.getByRole('button', { name: 'Speed 1×' }).click();
  await sound.getByRole('button', { name: 'Speed 1.5×' }).click();
  const played = await soundsOf(page);
  await sound.getByRole('button', { name: 'Play' }).click();
  await expect(sound.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(async () => (await played())[0]?.at ?? 0).toBeGreaterThan(0.2);
  expect((await played())[0]).toMatchObject({ speed: 2, isPaused: false });

  const voice = message(page, 'speaking').getByRole('group', { name: 'Voice message' });
  await expect(voice.getByText('0:12')).toBeVisible();
  await voice.getByRole('button', { name: 'Play' }).click();
  await expect(sound.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(voice.getByRole('button', { name: 'Speed 2×' })).toBeVisible();
  expect(await played()).toMatchObject([{ isPaused: true }, { isPaused: false, speed: 2 }]);
});

test('A1 a sound goes on while its message is out of sight, is found again, and ends with the conversation', async () => {
  const { page } = bo;
  const files = await filesIn('far', 'Far away');
  await files.sendFile('sounding', 'tone.wav', wav(60), { type: 'audio' });
  await openConversation(page, 'Far away');
  const sound = message(page, 'sounding').getByRole('group', { name: 'tone.wav' });
  const played = await soundsOf(page);
  await sound.getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await played())[0]?.at ?? 0).toBeGreaterThan(0.2);

  for (let n = 0; n < 60; n += 1) await files.send(`and then ${n}`, []);
  await expect(message(page, 'and then 59')).toBeInViewport();
  await expect(sound).toHaveCount(0);
  const [before] = await played();
  await expect.poll(async () => (await played())[0]?.at ?? 0).toBeGreaterThan(before?.at ?? 0);

  await feed(page).hover();
  await expect(async () => {
    await page.mouse.wheel(0, -3000);
    await expect(sound.getByRole('button', { name: 'Pause' })).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await played()).toMatchObject([{ isPaused: false }]);
  await openConversation(page, 'Players');
  await expect.poll(played).toMatchObject([{ isPaused: true }]);
});
