import { defineTexts } from '../../i18n/catalogue.ts';

export const completionTexts = defineTexts('messages', {
  mentionList: 'People to mention',
  mentionHere: 'Everyone who is online',
  mentionChannel: 'Everyone in this conversation',
  mentionRole: 'Everyone with the role {name}',
  commandList: 'Commands',
});
