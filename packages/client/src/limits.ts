export { texts } from '@parley/protocol/errors';
export { limits, times, toPrefix } from '@parley/protocol/limits';
