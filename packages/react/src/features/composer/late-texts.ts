import { defineTexts } from '../../i18n/catalogue.ts';

export const completionTexts = defineTexts('messages', {
  mentionList: 'People to mention',
  mentionHere: 'Everyone who is online',
  mentionChannel: 'Everyone in this conversation',
  mentionRole: 'Everyone with the role {name}',
  roleAdmin: 'Administrators',
  mentionAdmins: 'Everyone who runs this app',
  roleModerator: 'Moderators',
  mentionModerators: 'Everyone who looks after all conversations',
  roleModeratorHere: 'Moderators here',
  mentionModeratorsHere: 'Everyone who looks after this conversation',
  commandList: 'Commands',
});
