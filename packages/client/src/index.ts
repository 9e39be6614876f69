export type {
  Attachment,
  Capability,
  Channel,
  ChannelConfig,
  ChannelInput,
  Member,
  MemberInput,
  Message,
  MessageInput,
  OwnUser,
  Reaction,
  ReactionGroup,
  ServerEvent,
  User,
  UserInput,
} from '@parley/protocol';
export { type ErrorName, errorTable, ParleyError } from '@parley/protocol/errors';
export { fromCid, toCid } from './cid.ts';
export { createClient, type Feature, type FeatureCore, type ParleyClient } from './client.ts';
export type { ConnectionState } from './connection/driver.ts';
export type { TransportKind } from './connection/machine.ts';
export type { Clock, Environment, Socket } from './environment.ts';
export type { ClientEvent, ClientEventOf, ClientEventType, LocalEvent } from './events.ts';
export type { OpenOptions } from './features/channels/actions.ts';
export type { ChannelListHandle, ChannelListState, ChannelQuery } from './features/channels/list.ts';
export {
  hasCapability,
  selectChannelTitle,
} from './features/channels/selectors.ts';
export type { MemberPage, MemberQuery } from './features/members/actions.ts';
export type { SendOptions } from './features/messages/actions.ts';
export type { MessageEdit } from './features/messages/calls.ts';
export type { PageOptions } from './features/messages/pages.ts';
export {
  canDelete,
  canEdit,
  canPin,
  canQuote,
  canReply,
  canSend,
  canUndelete,
  isDeleted,
  isEdited,
  isInChannel,
  isOwn,
  selectMessage,
} from './features/messages/selectors.ts';
export { isUserOnline } from './features/presence/selectors.ts';
export type { ReactionOptions } from './features/reactions/actions.ts';
export type { ReactionPage, ReactionQuery } from './features/reactions/calls.ts';
export {
  canReact,
  hasReacted,
  type ReactionSummary,
  selectReactions,
} from './features/reactions/selectors.ts';
export { selectTypers } from './features/typing/selectors.ts';
export type { UserPage, UserQuery } from './features/users/calls.ts';
export { selectUserName } from './features/users/selectors.ts';
export type { CallOptions, Http, RequestOptions } from './http/http.ts';
export { NetworkError } from './http/network-error.ts';
export type { Log } from './log.ts';
export { createLru, type Lru } from './lru.ts';
export type { ClientOptions } from './options.ts';
export { derived, type Readable, type Unsubscribe } from './readable.ts';
export type {
  ChannelRead,
  ChannelState,
  LoadedThread,
  MessageRef,
  ThreadTyper,
  VisibleMessage,
} from './sync/state.ts';
export type { TokenProvider } from './tokens/token-manager.ts';
