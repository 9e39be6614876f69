/** The entry `@parley/react/drafts`: loaded when somebody opens the screen of drafts. */
export { DraftsScreen, type DraftsScreenProps } from './drafts-screen.tsx';
