import { expect, test } from 'vitest';
import { createTexts } from '../i18n/text.ts';
import { hasFiles, hasLinks, kindOf } from './kinds.ts';
import { summaryOf } from './message-summary.ts';
import { attachmentTexts } from './texts.ts';

const textOf = createTexts('en')(attachmentTexts);
const image = { type: 'image', image_url: '/files/a/b.png', title: 'b.png' };
const video = { type: 'video', asset_url: '/files/a/b.mp4' };
const voice = { type: 'voiceRecording', asset_url: '/files/a/b.ogg' };
const audio = { type: 'audio', asset_url: '/files/a/b.mp3', title: 'Bell' };
const file = { type: 'file', asset_url: '/files/a/b.pdf', title: 'Plan.pdf' };
const link = {
  type: 'video',
  og_scrape_url: 'https://a.b/',
  title: 'A film',
  image_url: 'https://a.b/c.png',
};

test.each([
  [[image], '📷 Photo'],
  [[image, image], '📷 2 photos'],
  [[video], '🎬 Video'],
  [[image, video], '📷 2 photos and videos'],
  [[voice], '🎤 Voice message'],
  [[audio], '🎵 Bell'],
  [[file], '📎 Plan.pdf'],
  [[file, file], '📎 2 files'],
  [[file, image], '📎 2 files'],
  [[link], 'A film'],
  [[{ type: 'mood' }], '📎 File'],
  [[], ''],
])('M3 a message without text is summarised by its attachments: %j', (attachments, words) => {
  expect(summaryOf({ text: '', attachments }, textOf)).toBe(words);
  expect(summaryOf({ text: 'Hello', attachments }, textOf)).toBe('Hello');
});

test('A1 the kind of an attachment depends on its fields and not on its type alone', () => {
  expect([image, video, voice, audio, file, link].map(kindOf)).toEqual([
    'image',
    'video',
    'voice',
    'audio',
    'file',
    'link',
  ]);
  expect(kindOf({ type: 'image' })).toBeUndefined();
  expect([hasFiles([link]), hasLinks([link]), hasFiles([image]), hasLinks([image])]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
