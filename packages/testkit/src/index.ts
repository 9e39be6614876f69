export { type Caller, type CallInput, createCaller, type RawReply } from './caller.ts';
export { createTestClock, type TestClock } from './clock.ts';
export { createTestChat, type TestChat, type TestChatOptions, type TestClient } from './create-test-chat.ts';
export type { DatabaseWire } from './database-wire.ts';
export { createTestDatabase } from './databases.ts';
export { type CallFault, createFaults, type Faults, type FrameFault } from './faults.ts';
export { type Nats, startNats } from './nats.ts';
export { signToken } from './token.ts';
export { until } from './until.ts';
