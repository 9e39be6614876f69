import { ParleyError } from '@parley/client';
import { expect, test } from 'vitest';
import { createTexts } from '../i18n/text.ts';
import { errorTexts } from './error-texts.ts';
import { refusalWords } from './refusal-words.ts';

const text = createTexts('en')(errorTexts);

test.each([
  [new ParleyError('CoolDown', 'wait', [{ path: 'seconds', message: '7' }]), 'Slow mode: wait 7 seconds'],
  [new ParleyError('NotAllowed', 'Not allowed to send-message in team:x'), "You can't do that here"],
  [new ParleyError('InputInvalid', 'message.text: holds a bad word'), 'message.text: holds a bad word'],
])('%s is shown as %j', (error, expected) => {
  expect(refusalWords(error, text)).toBe(expected);
});
