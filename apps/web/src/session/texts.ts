import { defineTexts } from '@parley/react';

/** The texts of signing in, with those that say why a sign-in ended. */
export const signInTexts = defineTexts('signIn', {
  title: 'Sign in to Parley',
  hint: 'Sign in with the link you were sent. No link yet? Ask whoever runs this server for one.',
  enter: 'Continue to sign in',
  administrators: 'Do you run this server?',
  command:
    'Run this command with the environment of the server. It prints a link that signs in the person it names:',
  product:
    'If your own product signs people in, set {variable} to its sign-in page, and let that page send them to this address followed by {fragment} and their token.',
  guest: 'Guest',
  expired: 'Your sign-in has expired. Ask for a new link, or sign in again.',
  incomplete: "This sign-in link isn't complete. Copy all of it, or ask for a new one.",
  ended: 'This sign-in was ended. Ask for a new link, or sign in again.',
  notYetValid: "This sign-in isn't valid yet. Check this device's clock, or ask for a new link.",
  unknown: "The server doesn't know this sign-in. Ask for a new link, or sign in again.",
});
