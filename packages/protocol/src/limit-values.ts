/** Every limit that both sides of the wire know. Single values, so that a bundle holds those it uses. */
export const idLength = 64;
export const bodyBytes = 1024 * 1024;
export const customBytes = 5 * 1024;
export const textLength = 20_000;
export const nameLength = 256;
/** The default; a server may be set to less or more, up to the second. */
export const attachmentsPerMessage = 10;
export const attachmentsMost = 50;
/** Besides the attachments: a link never takes the place of a file. */
export const previewsPerMessage = 3;
/** 100 MB by default. */
export const uploadBytes = 100 * 1024 * 1024;
export const signedPerCall = 100;
export const waveformSamples = 100;
export const mentionsPerMessage = 100;
export const rolesPerMessage = 10;
export const membersPerCall = 100;
export const usersPerCall = 100;
export const cidsPerCall = 100;
export const syncCursors = 200;
export const syncEventsPerChannel = 1000;
/** After so many bytes of events a `/sync` answer ends and names the channels to ask for again. */
export const syncBytes = 1024 * 1024;
export const deliveredPerCall = 100;
export const pageDefault = 10;
export const pageMax = 100;
export const repliesDefault = 50;
/** Kinds of reactions that one person gives a message, and that a message has in all. */
export const reactionKindsPerUser = 20;
export const reactionKindsPerMessage = 100;
export const reactionsShown = 10;
export const threadParticipantsShown = 10;
export const pinnedShown = 10;
export const pendingShown = 100;
export const recoverChannels = 30;
export const remindersPerUser = 1000;
export const reminderNoteLength = 1000;
export const scheduledPerUser = 100;
export const searchLength = 500;
export const pollNameLength = 255;
export const pollDescriptionLength = 1000;
export const pollOptionLength = 255;
export const pollOptions = 100;
export const pollAnswerLength = 1000;
export const pollMaxVotesLeast = 2;
export const pollMaxVotesMost = 10;
/** Newest votes of each option, and newest answers, that a poll carries. */
export const pollVotesShown = 3;
export const pollAnswersShown = 10;
/** How far ahead a live location may end: a day. */
export const liveLocationMostMs = 86_400_000;
/** Above so many members read and delivery marks become counts, unless the channel type says otherwise. */
export const marksLimit = 100;
export const readGroups = 50;
/** The versions of a member's own marks that lie between two events of the log (P12). */
export const marksPerEvent = 1_048_576;
export const filterDepth = 5;
export const filterLeaves = 50;
/** `$autocomplete` and `$q` in one filter: each may read every row. */
export const filterTextSearches = 2;
/** Characters of a beginning that `$autocomplete` looks for. */
export const prefixLength = 64;
export const cooldownMaxSeconds = 3600;
/** A hundred years. */
export const muteMaxMs = 3_153_600_000_000;
export const frameBytes = 64 * 1024;
/** Frames that a socket may send: so many at once, and so many a second in the long run. */
export const framesBurst = 200;
export const framesPerSecond = 20;
export const queuedFrames = 1000;
export const queuedBytes = 1024 * 1024;
