import { expect, test } from 'vitest';
import { durationText, familyOf, splitName } from './file-look.ts';
import { barsOf, givenBars, peaksOf } from './waveform.ts';

test.each([
  ['Plan.PDF', undefined, 'pdf'],
  ['a.csv', undefined, 'sheet'],
  ['a.tar.gz', undefined, 'archive'],
  ['page.html', 'text/html', 'code'],
  ['IMG_1.HEIC', undefined, 'image'],
  ['no ending', 'application/pdf', 'pdf'],
  ['no ending', 'audio/ogg', 'audio'],
  ['what.ever', 'application/octet-stream', 'other'],
])('A1 %s of type %s looks like %s', (title, mime, family) => {
  expect(familyOf({ title, ...(mime && { mime_type: mime }) })).toBe(family);
});

test('A1 a long name is cut before its ending', () => {
  expect(splitName('a very long report.pdf')).toEqual(['a very long rep', 'ort.pdf']);
  expect(splitName('README')).toEqual(['README', '']);
});

test.each([
  [0, '0:00'],
  [7.4, '0:07'],
  [750, '12:30'],
  [3723, '1:02:03'],
  [Number.POSITIVE_INFINITY, '0:00'],
])('A1 %d seconds read as %s', (seconds, words) => {
  expect(durationText(seconds)).toBe(words);
});

test('A1 a waveform is as many bars as are drawn, the loudest being whole; an invalid one is left out', () => {
  expect(barsOf([0, 5, 10], 6)).toEqual([0, 0, 0.5, 0.5, 1, 1]);
  expect(barsOf([0, 0], 3)).toEqual([0, 0, 0]);
  expect(givenBars({ waveform_data: [1, 2] })).toHaveLength(48);
  expect([givenBars({}), givenBars({ waveform_data: ['x'] }), givenBars({ waveform_data: [] })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(peaksOf(new Float32Array(480).fill(-0.5))).toEqual(Array.from({ length: 48 }, () => 0.5));
});
