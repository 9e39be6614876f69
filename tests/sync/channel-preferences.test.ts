import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S17 channel.hidden: oneself hides it', {
  act: ({ ana, type, id }) =>
    ana.caller.call('POST /channels/{type}/{id}/hide', { path: { type, id }, body: {} }),
  writes: [],
});

testLaw('S17 channel.hidden: and clears its history', {
  act: ({ ana, type, id }) =>
    ana.caller.call('POST /channels/{type}/{id}/hide', { path: { type, id }, body: { clear_history: true } }),
  writes: [],
});

testLaw('S17 channel.hidden: and clears what is still on its way', {
  act: async ({ ana, bo, type, id }) => {
    await bo.send({ text: 'just before' });
    await ana.caller.call('POST /channels/{type}/{id}/hide', {
      path: { type, id },
      body: { clear_history: true },
    });
    await bo.send({ text: 'just after' });
  },
  writes: ['message.new'],
});

testLaw('S17 channel.hidden: and clears an own message that is still on its way', {
  act: async ({ ana, type, id }) => {
    await ana.send({ text: 'just before' });
    await ana.caller.call('POST /channels/{type}/{id}/hide', {
      path: { type, id },
      body: { clear_history: true },
    });
  },
  writes: ['message.new'],
});

testLaw('S17 channel.hidden: the next message shows it again', {
  act: async ({ ana, bo, type, id }) => {
    await ana.caller.call('POST /channels/{type}/{id}/hide', { path: { type, id }, body: {} });
    await bo.send({ text: 'are you there?' });
  },
  writes: ['message.new'],
});

testLaw('S17 channel.hidden: after a message that is still on its way', {
  act: async ({ ana, bo, type, id }) => {
    await bo.send({ text: 'just before' });
    await ana.caller.call('POST /channels/{type}/{id}/hide', { path: { type, id }, body: {} });
  },
  writes: ['message.new'],
});

testLaw('S17 channel.visible: oneself shows it', {
  arrange: ({ ana, type, id }) =>
    ana.caller.call('POST /channels/{type}/{id}/hide', { path: { type, id }, body: {} }),
  act: ({ ana, type, id }) =>
    ana.caller.call('POST /channels/{type}/{id}/show', { path: { type, id }, body: {} }),
  writes: [],
});

testLaw('S17 notification.channel_mutes_updated: muted', {
  act: ({ ana, cid }) => ana.caller.call('POST /moderation/mute/channel', { body: { channel_cids: [cid] } }),
  writes: [],
});

testLaw('S19 member.updated: oneself pins and archives, and changes what all may see', {
  act: async ({ ana }) => {
    await ana.patchMember({ pinned: true });
    await ana.patchMember({ archived: true, nickname: 'A' });
  },
  writes: ['member.updated'],
});

testLaw('S19 member.updated: oneself pins no more', {
  arrange: ({ ana }) => ana.patchMember({ pinned: true }),
  act: ({ ana }) => ana.patchMember({ pinned: false }),
  writes: [],
});
