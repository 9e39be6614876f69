/** What a rule may allow or deny. A capability with `own` in its name applies to what the actor wrote or made. */
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

export const permissionRuleAllowAll = {
  name: 'Allow all',
  action: 'Allow',
  priority: 999,
  resources: ['*'],
  roles: ['*'],
} as const;

export const permissionRuleDenyAll = {
  name: 'Deny all',
  action: 'Deny',
  priority: 1,
  resources: ['*'],
  roles: ['*'],
} as const;

export const builtInRoles = [
  'admin',
  'moderator',
  'user',
  'guest',
  'anonymous',
  'channel_member',
  'channel_moderator',
] as const;
