import type { BodyOf, CallKey } from '@parley/protocol';

/** A query as callers write it: `next` of the last page goes in as it is, also where there is none. */
export type QueryFor<K extends CallKey> = { [P in keyof BodyOf<K>]: BodyOf<K>[P] | undefined };
