import { defineTexts } from '../../i18n/catalogue.ts';

export const userTexts = defineTexts('users', {
  signInTitle: 'Who are you today?',
  signInHint: 'Choose someone to try Parley as, or use your own name.',
  yourName: 'Your name',
  signIn: 'Continue',
  guest: 'Join as a guest',
  anonymous: 'Look around anonymously',
});
