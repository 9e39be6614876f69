import { defineTexts } from '../../i18n/catalogue.ts';

export const memberTexts = defineTexts('members', {
  members: 'Members',
  searchMembers: 'Search members',
  nobodyFound: 'Nobody of that name is in it',
  couldNotLoad: 'The members could not be loaded',
  retry: 'Try again',
  more: 'Show more',
  owner: 'Owner',
  moderator: 'Moderator',
  invited: 'Invited',
  memberActions: 'Actions for {name}',
  message: 'Message',
  makeModerator: 'Make moderator',
  demote: 'Moderator no more',
  remove: 'Remove',
  removeTitle: 'Remove {name}?',
  removeHint: 'They can no longer read or write here, until somebody adds them again.',
  withdraw: 'Take the invitation back',
  addPeople: 'Add people',
  add: 'Add',
  invite: 'Invite',
  counted:
    'This conversation is large: how many have read a message is shown, not who. The info of a message names them.',
});
