import {
  type Capability,
  type ChannelConfig,
  type PermissionRule,
  permissionRuleDenyAll,
} from '@parley/protocol';

type TypeDefaults = { config: ChannelConfig; permissions: PermissionRule[] };

const allow = (
  name: string,
  priority: number,
  roles: string[],
  resources: (Capability | '*')[],
): PermissionRule => ({ name, action: 'Allow', priority, roles, resources });

const look: Capability[] = ['read-channel', 'read-channel-members', 'connect-events', 'search-messages'];
const talk: Capability[] = [
  'send-message',
  'send-reply',
  'quote-message',
  'send-links',
  'send-reaction',
  'typing-events',
  'read-events',
  'delivery-events',
  'send-custom-events',
  'upload-file',
  'create-poll',
  'cast-poll-vote',
  'share-location',
  'mute-channel',
  'flag-message',
];
const manageMembers: Capability[] = [
  'add-channel-members',
  'remove-channel-members',
  'grant-channel-roles',
  'update-channel-members',
];
const keepOrder: Capability[] = [
  'mention-everyone',
  'update-channel',
  'truncate-channel',
  'freeze-channel',
  'set-channel-cooldown',
  ...manageMembers,
  'update-message',
  'delete-message',
  'pin-message',
  'delete-reaction',
  'skip-slow-mode',
  'ban-channel-members',
  'read-message-history',
];
const ownThings: Capability[] = [
  'update-channel',
  'delete-channel',
  'truncate-channel',
  'freeze-channel',
  'set-channel-cooldown',
  'add-channel-members',
  'update-message',
  'delete-message',
  'delete-reaction',
];

/** The rules every type shares; `extra` opens it further. */
const rules = (extra: PermissionRule[]): PermissionRule[] => [
  allow('Admins do anything', 900, ['admin'], ['*']),
  allow(
    'Moderators read and keep order',
    800,
    ['moderator'],
    [...look, ...talk, ...keepOrder, 'join-channel', 'leave-channel'],
  ),
  allow(
    'Channel moderators keep order',
    700,
    ['channel_moderator'],
    [...look, ...talk, ...keepOrder, 'leave-channel'],
  ),
  {
    ...allow('Users rule over what they made', 600, ['user'], [...ownThings, ...manageMembers]),
    owner: true,
  },
  { ...allow('Guests look after what they made', 600, ['guest'], ownThings), owner: true },
  allow('Members talk', 500, ['channel_member'], [...look, ...talk, 'leave-channel']),
  ...extra,
  permissionRuleDenyAll,
];

const callEveryone = allow('Members call everyone', 400, ['channel_member'], ['mention-everyone']);

const config: ChannelConfig = {
  typing_events: true,
  read_events: true,
  delivery_events: true,
  connect_events: true,
  custom_events: true,
  reactions: true,
  replies: true,
  quotes: true,
  search: true,
  uploads: true,
  url_enrichment: true,
  polls: true,
  max_message_length: 20_000,
};

export const defaultChannelTypes: Record<string, TypeDefaults> = {
  messaging: {
    config,
    permissions: rules([
      allow('Users start conversations', 400, ['user'], ['create-channel']),
      allow('Members pin', 400, ['channel_member'], ['pin-message']),
      callEveryone,
    ]),
  },
  team: {
    config,
    permissions: rules([
      allow('Users make channels', 400, ['user'], ['create-channel']),
      allow(
        'Members pin and bring others in',
        400,
        ['channel_member'],
        ['pin-message', 'add-channel-members'],
      ),
      callEveryone,
    ]),
  },
  livestream: {
    config: {
      ...config,
      typing_events: false,
      read_events: false,
      delivery_events: false,
      max_message_length: 2000,
    },
    permissions: rules([
      allow('Everyone looks', 400, ['*'], look),
      allow('Users and guests talk', 400, ['user', 'guest'], [...talk, 'join-channel', 'leave-channel']),
    ]),
  },
  gaming: {
    config,
    permissions: rules([
      allow('Users make, find and join rooms', 400, ['user'], [...look, 'create-channel', 'join-channel']),
      callEveryone,
    ]),
  },
  commerce: {
    config,
    permissions: rules([
      allow('Customers start conversations', 400, ['user', 'guest'], ['create-channel']),
      callEveryone,
    ]),
  },
};
