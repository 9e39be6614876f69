import { createClient, type ParleyClient } from '@parley/client';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Conversation } from '../conversation/conversation.tsx';
import { ChatProvider } from '../features/all.tsx';
import { ChatChannelList } from '../features/channels/chat-channel-list.tsx';
import { ThreadPanel } from '../features/threads/thread-panel.tsx';
import { AppShell } from './app-shell.tsx';

const client = createClient({ apiKey: 'key', baseUrl: 'https://chat.example.com/api' });
const drawn = (part: ReactNode): string =>
  renderToStaticMarkup(<ChatProvider client={client}>{part}</ChatProvider>);
const rootsIn = (html: string): number => html.match(/class="parley[ "]/g)?.length ?? 0;

test.each<[string, ReactNode]>([
  ['a conversation', <Conversation key="a" cid="team:general" />],
  ['a thread', <ThreadPanel key="b" cid="team:general" parentId="m" onClose={() => {}} />],
  ['a list of channels', <ChatChannelList key="c" query={{}} onSelect={() => {}} />],
])(
  'W1 %s alone in a page has the base styles of the kit around it, and in an app those of the app',
  (_, part) => {
    const alone = drawn(part);
    const inApp = drawn(
      <AppShell sidebar={null} pane="conversation">
        {part}
      </AppShell>,
    );

    expect(alone).toMatch(/^<div class="parley /);
    expect([rootsIn(alone), rootsIn(inApp)]).toEqual([1, 1]);
  },
);

test('W1 a provider without a client and a conversation without a cid name the missing prop', () => {
  const nothing = undefined as unknown;

  for (const wrong of [nothing, { apiKey: 'key' }, Promise.resolve()])
    expect(() => renderToStaticMarkup(<ChatProvider client={wrong as ParleyClient}>…</ChatProvider>)).toThrow(
      'ChatProvider or ClientProvider needs a client of createClient',
    );
  expect(() => drawn(<Conversation cid={nothing as string} />)).toThrow(
    '"undefined" is no cid such as "messaging:general"',
  );
});
