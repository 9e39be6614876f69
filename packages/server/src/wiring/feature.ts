import type { FastifyInstance } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Routes } from '../http/route.ts';
import { createStops } from '../lib/stops.ts';

/** Background work. `start` returns its stop, which waits for the part under way. */
type Job = { start(): () => Promise<void> };

/** The parts for routes that are no calls of the protocol, such as the bytes of files. */
type RawHttp = { app: FastifyInstance; authenticator: Authenticator };

/** A feature of the server, as its `feature.ts` returns it. The features below use its service; the list runs the rest. */
export type Feature<Service> = {
  service: Service;
  /** Stores the rows that must exist before the first call. */
  ensure?(): Promise<void>;
  /** Adds the calls of the feature. */
  routes?(routes: Routes, raw: RawHttp): void;
  /** Started in the order of the features once the routes stand, and stopped in reverse. */
  jobs?: readonly Job[];
  /** Ends what runs since the feature was created. Called after all jobs have stopped. */
  stop?(): void | Promise<void>;
};

/** The features of a server in their order. */
export const createFeatureList = () => {
  const features: Feature<unknown>[] = [];
  const stops = createStops();
  return {
    add<Service>(feature: Feature<Service>): Service {
      features.push(feature);
      if (feature.stop) stops.add(() => feature.stop?.());
      return feature.service;
    },
    async ensure(): Promise<void> {
      for (const feature of features) await feature.ensure?.();
    },
    addRoutes(routes: Routes, raw: RawHttp): void {
      for (const feature of features) feature.routes?.(routes, raw);
    },
    /** Returns the stop of all jobs. */
    startJobs(): () => Promise<void> {
      const running = createStops();
      // Added first: jobs that started are stopped with the features when a later one fails to start.
      stops.add(running.run);
      for (const { jobs = [] } of features) for (const job of jobs) running.add(job.start());
      return running.run;
    },
    stop: stops.run,
  };
};
