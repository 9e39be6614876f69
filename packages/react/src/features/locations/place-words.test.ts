import { expect, test } from 'vitest';
import { mapsLink } from './place-words.ts';

const berlin = { latitude: 52.52, longitude: 13.405 };

test.each([
  ['Mozilla/5.0 (Linux; Android 14; Pixel 7)', 'geo:52.52,13.405?q=52.52,13.405'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'https://maps.apple.com/?q=52.52,13.405'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14)', 'https://maps.apple.com/?q=52.52,13.405'],
  [
    'Mozilla/5.0 (X11; Linux x86_64)',
    'https://www.openstreetmap.org/?mlat=52.52&mlon=13.405#map=16/52.52/13.405',
  ],
])('P5 a place opens in the maps app of %j', (userAgent, link) => {
  expect(mapsLink(berlin, userAgent)).toBe(link);
});
