import type { PermissionRule } from './features/roles.ts';

/** The capabilities that a rule may allow or deny. A capability with `own` in its name applies to what the actor wrote or made. */
export const capabilities = [
  'create-channel',
  'read-channel',
  'update-channel',
  'delete-channel',
  'truncate-channel',
  'freeze-channel',
  'set-channel-cooldown',
  'join-channel',
  'leave-channel',
  'add-channel-members',
  'remove-channel-members',
  'grant-channel-roles',
  'update-channel-members',
  'read-channel-members',
  'connect-events',
  'send-message',
  'send-reply',
  'quote-message',
  'send-links',
  'mention-everyone',
  'update-message',
  'delete-message',
  'pin-message',
  'send-reaction',
  'delete-reaction',
  'typing-events',
  'read-events',
  'delivery-events',
  'send-custom-events',
  'skip-slow-mode',
  'upload-file',
  'search-messages',
  'create-poll',
  'cast-poll-vote',
  'share-location',
  'mute-channel',
  'flag-message',
  'ban-channel-members',
  'read-message-history',
  'send-restricted-visibility-message',
] as const;

export type Capability = (typeof capabilities)[number];

/** The capabilities that a rule of the app may allow or deny, outside all channels. */
export const appCapabilities = ['search-users'] as const;

export type AppCapability = (typeof appCapabilities)[number];

export const permissionRuleAllowAll = {
  name: 'Allow all',
  action: 'Allow' as const,
  priority: 999,
  resources: ['*'],
  roles: ['*'],
} satisfies PermissionRule;

export const permissionRuleDenyAll = {
  name: 'Deny all',
  action: 'Deny' as const,
  priority: 1,
  resources: ['*'],
  roles: ['*'],
} satisfies PermissionRule;

/** The roles that a member has in a channel, lowest first. No role of the app is one of them. */
export const channelRoles = ['channel_member', 'channel_moderator'] as const;
export type ChannelRole = (typeof channelRoles)[number];

export const builtInRoles = ['admin', 'moderator', 'user', 'guest', 'anonymous', ...channelRoles] as const;

/** The facts that decide who ranks above whom in a channel. `rights` are those of the role in the app. */
export type Standing = {
  isOwner: boolean;
  channelRole?: string | undefined;
  appRole?: string | undefined;
  rights?: ReadonlySet<string> | undefined;
};

const ownerRank = 3;

/** Whether a role of the app is another than those that everyone gets. */
export const isStaffRole = (role: string): boolean => !['user', 'guest', 'anonymous'].includes(role);

/** Nobody removes, raises or demotes somebody of their own rank or above. Staff, which is who has a role of the app other
 * than those everyone gets, stand above moderators where their role manages members, and above the owner where it
 * deletes channels. */
export const rankOf = ({ isOwner, channelRole, appRole = 'user', rights }: Standing): number => {
  const isStaff = isStaffRole(appRole);
  if (isStaff && rights?.has('delete-channel')) return ownerRank + 1;
  if (isOwner) return ownerRank;
  if (isStaff && (rights?.has('remove-channel-members') || rights?.has('grant-channel-roles'))) return 2;
  return channelRoles.indexOf(channelRole as ChannelRole);
};
