/** Every limit and time of the product that both sides of the wire know. */
export const limits = {
  idLength: 64,
  bodyBytes: 1024 * 1024,
  customBytes: 5 * 1024,
  textLength: 20_000,
  nameLength: 256,
  attachmentsPerMessage: 10,
  mentionsPerMessage: 100,
  rolesPerMessage: 10,
  membersPerCall: 100,
  usersPerCall: 100,
  cidsPerCall: 100,
  syncCursors: 200,
  syncEventsPerChannel: 1000,
  deliveredPerCall: 100,
  pageDefault: 10,
  pageMax: 100,
  repliesDefault: 50,
  reactionsShown: 10,
  threadParticipantsShown: 10,
  pinnedShown: 10,
  pendingShown: 100,
  recoverChannels: 30,
  remindersPerUser: 1000,
  reminderNoteLength: 1000,
  scheduledPerUser: 100,
  searchLength: 500,
  pollNameLength: 255,
  pollDescriptionLength: 1000,
  pollOptionLength: 255,
  pollOptions: 100,
  pollAnswerLength: 1000,
  pollMaxVotesLeast: 2,
  pollMaxVotesMost: 10,
  /** Newest votes of each option, and newest answers, that a poll carries. */
  pollVotesShown: 3,
  pollAnswersShown: 10,
  /** How far ahead a live location may end: a day. */
  liveLocationMostMs: 86_400_000,
  /** Above so many members read and delivery marks become counts, unless the channel type says otherwise. */
  marksLimit: 100,
  readGroups: 50,
  filterDepth: 5,
  filterLeaves: 50,
  cooldownMaxSeconds: 3600,
  /** A hundred years. */
  muteMaxMs: 3_153_600_000_000,
  frameBytes: 64 * 1024,
  queuedFrames: 1000,
  queuedBytes: 1024 * 1024,
} as const;

/** Milliseconds. */
export const times = {
  httpTimeout: 3000,
  wsTimeout: 15_000,
  wsTimeoutWithFallback: 6000,
  firstFrame: 5000,
  serverHeartbeat: 30_000,
  clientHeartbeat: 25_000,
  silence: 40_000,
  longPollWait: 25_000,
  typingTimeout: 7000,
  searchDebounce: 300,
  linkPreviewDebounce: 1500,
  deliveryReport: 1000,
  readCounts: 3000,
  /** At most so often a device moves its live location, and a channel is told of those that moved. */
  locationUpdate: 3000,
  /** At most so often a poll's votes are told. */
  pollTelling: 200,
} as const;

/** WebSocket close codes of ours. */
export const closeCodes = {
  goingAway: 1001,
  tooLarge: 1009,
  badFrame: 4400,
  authentication: 4401,
  tokenExpired: 4403,
  slowConsumer: 4408,
} as const;

export const idPattern = "^[A-Za-z0-9@_.!~*'()-]{1,64}$";

/** How exactly a channel of this size tells who has read what; undefined is in full. Both sides derive it alike. */
export const fidelityOf = (
  memberCount: number,
  config: { marks_limit?: number } | undefined,
): { reads: 'counts' } | undefined =>
  memberCount > (config?.marks_limit ?? limits.marksLimit) ? { reads: 'counts' } : undefined;

/** What shows as nothing: spaces, and marks that only steer direction or join. */
const invisible = /^[\s\p{Cf}\p{Zs}]*$/u;
/** By which poll options count as the same; empty for one that shows as nothing. Both sides compare alike. */
export const pollOptionKey = (text: string): string =>
  invisible.test(text) ? '' : text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
