/** The entry `@parley/client/channels`: the first screen before there is a connection. */
export {
  type KeptChannel,
  type KeptScreen,
  keptScreen,
  type Screen,
  type ScreenOptions,
} from './kept-screen.ts';
