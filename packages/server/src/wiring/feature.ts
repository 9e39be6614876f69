import type { FastifyInstance } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Routes } from '../http/route.ts';

/** Background work. `start` returns its stop, which waits for the part under way. */
export type Job = { start(): () => Promise<void> };

/** For routes that are no calls of the protocol, such as the bytes of files. */
export type RawHttp = { app: FastifyInstance; authenticator: Authenticator };

/** What the `feature.ts` of every feature returns. The features below use its service; `features/all.ts` gathers the rest. */
export type Feature<Service> = {
  service: Service;
  /** Stores the rows that must exist before the first call. */
  ensure?(): Promise<void>;
  /** Adds the calls of the feature. */
  routes?(routes: Routes, raw: RawHttp): void;
  /** Started in the order of the features once the routes stand, and stopped in reverse. */
  jobs?: readonly Job[];
  /** Ends what runs since the feature was created, after all jobs have stopped. */
  stop?(): void | Promise<void>;
};
