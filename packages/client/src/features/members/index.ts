/** The entry `@parley/client/members`: rules for who may manage whom in a channel. Only lists of members ask for it. */
export { canAddMembers, canUpdateChannel } from '../channels/selectors.ts';
export { canGrantRole, canRemoveMember } from './ranks.ts';
export { isInvited, isMember, selectMember } from './selectors.ts';
