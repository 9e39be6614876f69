/** The entry `@parley/react/tasks`: work on many conversations at once. */
export { DeleteChannelsScreen, type DeleteChannelsScreenProps } from './delete-channels-screen.tsx';
export { taskTexts } from './texts.ts';
