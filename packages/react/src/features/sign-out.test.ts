import { createClient } from '@parley/client';
import { expect, test, vi } from 'vitest';
import { keptPlaces } from '../conversation/use-kept-place.ts';
import { aMessage } from '../testing/records.ts';
import { playback } from './attachments/use-playing.ts';
import { openRecording, openRecordings } from './attachments/voice/open-recordings.ts';
import { voiceDrafts } from './attachments/voice/voice-store.ts';
import { waveforms } from './attachments/waveforms.ts';
import { begunChannels } from './channels/begun-channels.ts';
import { draftBox, draftKey, withText } from './drafts/draft-box.ts';
import { draftPreviews } from './link-previews/previews-store.ts';
import { laterBox } from './reminders/later-box.ts';
import { deleting } from './tasks/deleting.ts';

test('C8 sign-out empties the state of the interface: drafts, edits, places, previews, recordings, sounds, tasks', async () => {
  const client = createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/api' });
  const key = draftKey('messaging:room');
  const chat = {
    drafts: client.feature(draftBox),
    begun: client.feature(begunChannels),
    later: client.feature(laterBox),
    recordings: client.feature(openRecordings),
    places: client.feature(keptPlaces),
  };
  const editing = aMessage({ text: 'old' });
  const { previews } = client.feature(draftPreviews).of(key);
  const voice = client.feature(voiceDrafts).of(key);
  const box = chat.drafts.of(key);
  chat.drafts.change(key, (draft) => ({ ...withText(draft, 'of Ana'), editing }));
  chat.begun.set(['messaging:begun']);
  chat.later.set({ ...chat.later.get(), overdue: 2 });
  previews.type('https://a.example/');
  openRecording(chat.recordings, key);
  chat.places.set('messaging:room', {} as never);
  client.feature(deleting).state.set({ step: 'failed', error: new Error('of Ana') });

  const sounds = client.feature(playback);
  const element = { pause: vi.fn() };
  Object.assign(sounds, { current: element, speed: 2 });
  const bars = client.feature(waveforms).of('/files/a', 'http://127.0.0.1:1/a');

  await client.disconnect();

  expect(client.feature(draftBox)).toBe(chat.drafts);
  expect([box.get(), chat.drafts.all.get(), chat.begun.get()]).toEqual([{ text: '' }, [], []]);
  expect(chat.later.get().overdue).toBe(0);
  expect(previews.get().items).toEqual([]);
  expect(client.feature(draftPreviews).of(key).previews).not.toBe(previews);
  expect(client.feature(voiceDrafts).of(key)).not.toBe(voice);
  expect([chat.recordings.get().size, chat.places.size]).toEqual([0, 0]);
  expect([sounds.current, sounds.speed, element.pause.mock.calls.length]).toEqual([undefined, 1, 1]);
  expect(client.feature(waveforms).of('/files/a', 'http://127.0.0.1:1/a')).not.toBe(bars);
  expect(client.feature(deleting).state.get()).toEqual({ step: 'choosing' });
});
