export { texts } from '@parley/protocol/errors';
export { limits, times } from '@parley/protocol/limits';
