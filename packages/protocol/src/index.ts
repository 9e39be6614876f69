export {
  type CallBody,
  type CallQuery,
  type CallReply,
  type CallSpec,
  callMethod,
  callPath,
  callSchemas,
  type LimitGroup,
  type Method,
  type PathParam,
  type Side,
} from './call.ts';
export {
  type AppCapability,
  appCapabilities,
  builtInRoles,
  type Capability,
  type ChannelRole,
  capabilities,
  channelRoles,
  isStaffRole,
  permissionRuleAllowAll,
  permissionRuleDenyAll,
  rankOf,
} from './capabilities.ts';
export { errorList } from './error-messages.ts';
export {
  type ErrorBody,
  type ErrorDetail,
  type ErrorName,
  errorTable,
  fieldText,
  invalid,
  ParleyError,
  texts,
} from './errors.ts';
export type { App } from './features/apps.ts';
export type { Upload, UploadRules } from './features/attachments.ts';
export type { ChannelMute } from './features/channel-preferences.ts';
export { type ChannelConfig, ChannelConfigSchema, type ChannelType } from './features/channel-types.ts';
export {
  type Channel,
  type ChannelInput,
  ChannelInputSchema,
  ChannelSchema,
  type ChannelStateReply,
  ChannelStateSchema,
} from './features/channels.ts';
export type { Command } from './features/command-record.ts';
export {
  type ConnectFrame,
  ConnectFrameSchema,
  type ConnectPayload,
  ConnectPayloadSchema,
  type SyncCursor,
} from './features/connection.ts';
export { type Draft, DraftSchema } from './features/draft-record.ts';
export { type DraftMessageInput, DraftMessageInputSchema } from './features/drafts.ts';
export type { LinkPreview } from './features/link-previews.ts';
export type { SharedLocation, SharedLocationInput } from './features/location-record.ts';
export {
  type Member,
  type MemberInput,
  MemberInputSchema,
  MemberSchema,
  type NewMember,
} from './features/members.ts';
export {
  type Attachment,
  AttachmentSchema,
  type Message,
  type MessageEdit,
  type MessageInput,
  MessageInputSchema,
  MessageSchema,
  type MessageVersion,
  type MessageWindow,
  type QuotedMessage,
} from './features/message-record.ts';
export {
  type Poll,
  type PollInput,
  PollInputSchema,
  type PollOption,
  type PollOptionInput,
  PollSchema,
  type PollVote,
} from './features/poll-record.ts';
export {
  type Reaction,
  type ReactionGroup,
  ReactionInputSchema,
  ReactionSchema,
} from './features/reaction-record.ts';
export { type ReadCounts, type ReadState, ReadStateSchema } from './features/reads.ts';
export type { OwnReminder } from './features/reminder-record.ts';
export type { Reminder } from './features/reminders.ts';
export type { PermissionRule, Role } from './features/roles.ts';
export type { ScheduledMessage } from './features/scheduled-messages.ts';
export type { Snippet } from './features/search.ts';
export type { Task } from './features/tasks.ts';
export { type Thread, type ThreadInfo, ThreadInputSchema, ThreadSchema } from './features/threads.ts';
export {
  type OwnUser,
  OwnUserSchema,
  type User,
  type UserInput,
  UserInputSchema,
  UserSchema,
} from './features/users.ts';
export { closeCodes, fidelityOf, idPattern, limits, pollOptionKey, times } from './limits.ts';
export { type OpenApiDocument, type OpenApiOperation, openApiDocument } from './openapi.ts';
export type { JsonSchema } from './openapi-schema.ts';
export type { RecordSchema } from './record.ts';
export {
  type BodyOf,
  type CallKey,
  type Calls,
  calls,
  callsByFeature,
  type EventEnvelope,
  type EventOf,
  type EventType,
  eventSchemas,
  type LogEvent,
  type LogEventType,
  logEventTypes,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type ServerEvent,
} from './registry.ts';
export type {
  CustomAttachment,
  CustomChannel,
  CustomMember,
  CustomMessage,
  CustomPoll,
  CustomReaction,
  CustomUser,
  SortField,
} from './schema.ts';
export { idRule } from './schema.ts';
