/** The entry `@parley/react/polls`: loaded when the first poll is shown or written. */

export { PollBubble, type PollBubbleProps } from './poll-bubble.tsx';
export { PollDialog, type PollDialogProps } from './poll-dialog.tsx';
export { PollResultsDialog, type ResultsView } from './poll-results-dialog.tsx';
export { pollTexts } from './texts.ts';
export { usePolls } from './use-polls.ts';
