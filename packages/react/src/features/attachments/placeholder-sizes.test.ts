import { expect, test } from 'vitest';
import { formOfLink, isSmall, sizeOfImages, sizeOfVideo } from './placeholder-sizes.ts';

const sized = (width: number, height: number) => ({ width, height });

test.each([
  ['landscape', [sized(1600, 1200)], 352, 264],
  ['portrait', [sized(1200, 1600)], 288, 384],
  ['very tall: cut', [sized(400, 4000)], 230, 384],
  ['very wide: cut', [sized(4000, 400)], 352, 147],
  ['small: not narrower than words need', [sized(64, 64)], 200, 200],
  ['of unknown size', [{}], 352, 264],
  ['two', [{}, {}], 352, 176],
  ['three', [{}, {}, {}], 352, 235],
  ['four', [{}, {}, {}, {}], 352, 264],
  ['seven', Array.from({ length: 7 }, () => ({})), 352, 264],
])('A1 the size of pictures is known before they are loaded: %s', (_, images, width, height) => {
  const { inlineSize, aspectRatio } = sizeOfImages(images);

  expect(inlineSize).toBe(width);
  expect(Math.abs(inlineSize / aspectRatio - height)).toBeLessThan(1);
});

test('A1 a video without a size has the common one; a small picture is not enlarged', () => {
  expect(sizeOfVideo({})).toEqual({ inlineSize: 352, aspectRatio: 16 / 9 });
  expect([isSmall(sized(64, 64)), isSmall(sized(64, 640)), isSmall({})]).toEqual([true, false, false]);
});

test.each([
  [{ type: 'article', image_url: 'https://a.b/c.png', text: 'x' }, 'card'],
  [{ type: 'article', text: 'x' }, 'card'],
  [{ type: 'article' }, 'line'],
  [{ type: 'image', image_url: 'https://a.b/c.png' }, 'large'],
  [{ type: 'video', thumb_url: '/files/x/y' }, 'large'],
  [{ type: 'video', image_url: 'http://a.b/c.png' }, 'line'],
])('A4 the form of a link card: %j', (link, form) => {
  expect(formOfLink(link)).toBe(form);
});
