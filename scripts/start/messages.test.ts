import { expect, test } from 'vitest';
import { explain, welcome } from './messages.ts';

test('the welcome says where to open it, whom to try, where the reference is and how to stop', () => {
  const text = welcome('http://127.0.0.1:8800', { PARLEY_DEMO: 'on' });

  expect(text).toContain('http://127.0.0.1:8800\n');
  expect(text).toMatch(/Ana Ribeiro.*Bo Lindqvist/);
  expect(text).toContain('/api/docs');
  expect(text).toContain('Ctrl-C');
});

test('without the demo nobody is offered to try', () => {
  const text = welcome('http://x', { PARLEY_DEMO: 'off' });

  expect(text).not.toContain('Ana');
  expect(text).toContain('npm run token -- <user id>');
});

test.each([
  [{ code: 'EADDRINUSE', port: 8800 }, /^Port 8800 is taken .* PORT=8801 npm start$/],
  [{ code: 'EACCES', port: 80 }, /^Port 80 may not be used/],
  [{ code: 'EADDRNOTAVAIL' }, /no address 10\.9\.9\.9: set HOST/],
  [{ problems: ['PORT must be a number'], message: 'The configuration is not valid' }, /^The configuration/],
])('%o is explained in a sentence', (fields, sentence) => {
  expect(explain(Object.assign(new Error(), fields), { HOST: '10.9.9.9' })).toMatch(sentence);
});

test('an error of another kind is printed with its stack', () => {
  expect(explain(new Error('broken'), {})).toBeUndefined();
});
