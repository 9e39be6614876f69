/** The entry `@parley/react/scheduled-messages`: loaded when somebody opens the screen of messages that are sent later. */
export { ScheduledScreen, type ScheduledScreenProps } from './scheduled-screen.tsx';
export { scheduledTexts } from './texts.ts';
