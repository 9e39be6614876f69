import type { ChannelState } from '@parley/client';
import { expect, test } from 'vitest';
import { createTexts } from '../../i18n/text.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { selectFace, selectPreview } from './channel-view.ts';

const textOf = createTexts('en')(attachmentTexts);

const aState = (channel: object, ids: string[], more: object = {}) =>
  ({
    ownId: 'me',
    channel: { id: 'c', type: 'messaging', member_count: ids.length, ...channel },
    members: ids.map((id) => ({ user_id: id, user: { id, name: id.toUpperCase() } })),
    messages: [],
    ...more,
  }) as unknown as ChannelState;

test.each([
  ['two people without a name', aState({}, ['me', 'bo']), 'direct', 'BO'],
  ['three people', aState({}, ['me', 'bo', 'ana']), 'group', 'BO, ANA'],
  [
    'a named team channel',
    aState({ type: 'team', name: 'general' }, ['me', 'bo', 'ana']),
    'place',
    'general',
  ],
  [
    'a direct conversation that the other person left',
    aState({ id: '!members-x', direct_members: [{ id: 'bo', name: 'BO' }, { id: 'me' }] }, ['me']),
    'direct',
    'BO',
  ],
  [
    'a direct conversation with oneself',
    aState({ id: '!members-x', direct_members: [{ id: 'me', name: 'ME' }] }, ['me']),
    'direct',
    'ME',
  ],
  [
    'a group of people whom one has left',
    aState({ id: '!members-x', direct_members: ['me', 'bo', 'cy'].map((id) => ({ id, name: id })) }, [
      'me',
      'bo',
    ]),
    'group',
    'bo, cy',
  ],
  ['two people and a name', aState({ name: 'Trip' }, ['me', 'bo']), 'place', 'Trip'],
])('%s', (_, state, kind, title) => {
  expect(selectFace(state)).toMatchObject({ kind, title });
});

test('the preview is the text of the last message that is not silent', () => {
  const messages = [
    { text: 'one **two**', type: 'regular', user: { id: 'bo', name: 'Bo' }, silent: false },
    { text: 'hush', type: 'regular', user: { id: 'bo' }, silent: true },
  ];

  expect(selectPreview(aState({}, ['me', 'bo'], { messages }), textOf)).toMatchObject({
    text: 'one **two**',
    author: 'Bo',
  });
});

test('M3 the preview is the last message of the channel, not of the part that is loaded', () => {
  const said = (text: string) => ({ text, type: 'regular', user: { id: 'bo', name: 'Bo' }, silent: false });
  const state = aState({}, ['me', 'bo'], { messages: [said('long ago')], hasNewer: true, tail: said('now') });

  expect(selectPreview(state, textOf).text).toBe('now');
});

test('nobody is the author of a system message', () => {
  const messages = [{ text: 'Bo joined', type: 'system', user: { id: 'bo' }, silent: false }];

  expect(selectPreview(aState({}, ['me'], { messages }), textOf).author).toBeUndefined();
});
