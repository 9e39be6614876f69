import { defineTexts } from '../../i18n/catalogue.ts';

export const memberTexts = defineTexts('members', {
  members: 'Members',
  searchMembers: 'Search members',
  nobodyFound: 'Nobody by that name',
  couldNotLoad: "Couldn't load the members",
  retry: 'Try again',
  more: 'Show more',
  owner: 'Owner',
  moderator: 'Moderator',
  invited: 'Invited',
  memberActions: 'Actions for {name}',
  message: 'Message',
  makeModerator: 'Make moderator',
  demote: 'Remove as moderator',
  remove: 'Remove',
  removeTitle: 'Remove {name}?',
  removeHint: "They can't read or write here until someone adds them again.",
  withdraw: 'Cancel invitation',
  addPeople: 'Add people',
  add: 'Add',
  invite: 'Invite',
  counted:
    'In a large conversation you see how many people read a message, not who. Message info shows their names.',
});
