/** The texts that are fixed to the letter. Single values, so that a bundle holds those it uses. */
export const userIdMissing = 'The id field on the user is missing';
export const disconnectFirst = 'Use the disconnect call before connecting as a different user';
export const userNotSet = 'User is not set on client';
export const channelIdColon = 'Invalid channel id; it cannot contain a colon';
export const membersMissing = 'Please specify at least one member when creating a unique conversation';
export const blankSince = "Don't pass a blank string for since";
export const requestTypeInvalid = 'Invalid request type';
export const pollQuestionMissing = 'Question is required';
export const pollOptionEmpty = 'Option is empty';
export const pollOptionExists = 'Option already exists';
export const pollMaxVotes = 'Type a number from 2 to 10';
export const uploadFailed = 'Error uploading attachment';
export const uploadBlocked = 'The attachment upload was blocked';
export const uploadsPending = 'Wait until all attachments have uploaded';
export const liveLocationServerSide = 'Live-location sharing is reserved for client-side use only';
