import type { Channel, ChannelState } from '@parley/client';
import { expect, test } from 'vitest';
import { createTexts } from '../../i18n/text.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { aChannel, aMember, aMessage, aState, aUser } from '../../testing/records.ts';
import { selectFace, selectPreview } from './channel-view.ts';

const textOf = createTexts('en')(attachmentTexts);

const stateOf = (channel: Partial<Channel>, ids: string[], more: Partial<ChannelState> = {}) =>
  aState({
    channel: aChannel({ member_count: ids.length, ...channel }),
    members: ids.map((id) => aMember(id, { user: aUser(id, id.toUpperCase()) })),
    ...more,
  });

test.each([
  ['two people without a name', stateOf({}, ['me', 'bo']), 'direct', 'BO'],
  ['three people', stateOf({}, ['me', 'bo', 'ana']), 'group', 'BO, ANA'],
  [
    'a named team channel',
    stateOf({ type: 'team', name: 'general' }, ['me', 'bo', 'ana']),
    'place',
    'general',
  ],
  [
    'a direct conversation that the other person left',
    stateOf({ id: '!members-x', direct_members: [aUser('bo', 'BO'), aUser('me')] }, ['me']),
    'direct',
    'BO',
  ],
  [
    'a direct conversation with oneself',
    stateOf({ id: '!members-x', direct_members: [aUser('me', 'ME')] }, ['me']),
    'direct',
    'ME',
  ],
  [
    'a group of people whom one has left',
    stateOf({ id: '!members-x', direct_members: ['me', 'bo', 'cy'].map((id) => aUser(id)) }, ['me', 'bo']),
    'group',
    'bo, cy',
  ],
  ['two people and a name', stateOf({ name: 'Trip' }, ['me', 'bo']), 'place', 'Trip'],
])('%s', (_, state, kind, title) => {
  expect(selectFace(state)).toMatchObject({ kind, title });
});

test('the preview is the text of the last message that is not silent', () => {
  const messages = [aMessage({ text: 'one **two**' }), aMessage({ text: 'hush', silent: true })];

  expect(selectPreview(stateOf({}, ['me', 'bo'], { messages }), textOf)).toMatchObject({
    text: 'one **two**',
    author: 'Bo',
  });
});

test('M3 the preview is the last message of the channel, not of the part that is loaded', () => {
  const said = (text: string) => aMessage({ text });
  const state = stateOf({}, ['me', 'bo'], {
    messages: [said('long ago')],
    hasNewer: true,
    tail: said('now'),
  });

  expect(selectPreview(state, textOf).text).toBe('now');
});

test('nobody is the author of a system message', () => {
  const messages = [aMessage({ text: 'Bo joined', type: 'system' })];

  expect(selectPreview(stateOf({}, ['me'], { messages }), textOf).author).toBeUndefined();
});
