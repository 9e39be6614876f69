import { defineTexts } from '../i18n/catalogue.ts';

export const connectionTexts = defineTexts('connection', {
  connecting: 'Connecting…',
  connectionOffline: "You're offline. What you write is kept and sent later.",
  reconnecting: 'Reconnecting…',
  reconnectingIn: {
    one: 'Connection lost. Trying again in {count} second',
    other: 'Connection lost. Trying again in {count} seconds',
  },
  reconnectNow: 'Try now',
  backOnline: 'Back online',
});
