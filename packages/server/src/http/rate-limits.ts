import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { type LimitGroup, ParleyError } from '@parley/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallBudgets, Count } from '../cluster/call-budgets.ts';

/** Calls a user may make in a minute, per budget; a server with the secret is not limited. */
const budgets: Record<LimitGroup, number> = { message: 300, write: 300, read: 600, event: 900, auth: 60 };

/** The same for calls that name nobody, per address, behind which many may be. */
const publicBudgets: Record<LimitGroup, number> = { ...budgets, event: 3600 };

const window = 60_000;

const tooMany = (ttl: number): ParleyError =>
  new ParleyError('RateLimited', `Too many requests: wait ${Math.ceil(ttl / 1000)} s`);

/** The parts of a request by which it is counted. */
export type Counted = Pick<FastifyRequest, 'actor' | 'address'> & {
  routeOptions: Pick<FastifyRequest['routeOptions'], 'config'>;
};
/** Counts a call that is answered beside the framework: the headers of its answer, and the error once its budget is spent. */
export type TakeBudget = (
  call: Counted,
) => Promise<{ headers: Record<string, number>; refusal: ParleyError | undefined }>;

type Answer = (error: Error | null, count?: Count) => void;

/** The counter of the plugin: ours counts the calls of all servers together. */
const storeOf = (counter: CallBudgets): FastifyRateLimitStoreCtor =>
  class Store implements FastifyRateLimitStore {
    incr(key: string, done: Answer, windowMs: number, most: number): void {
      const count = counter.take(key, { most, windowMs });
      if (count instanceof Promise) count.then((given) => done(null, given), done);
      else done(null, count);
    }

    child(): Store {
      return this;
    }
  };

export const addRateLimits = async (app: FastifyInstance, counter: CallBudgets): Promise<TakeBudget> => {
  await app.register(rateLimit, {
    global: true,
    // It runs after the route's own hook, which says who calls, and before the body is read: what is refused costs nothing more.
    hook: 'onRequest',
    enableDraftSpec: true,
    timeWindow: window,
    store: storeOf(counter),
    max: (request) => {
      const { limit = 'read', isPublic } = request.routeOptions.config;
      return isPublic ? publicBudgets[limit] : budgets[limit];
    },
    // A user may be named like an address: each kind has names of its own.
    keyGenerator: ({ actor, address, routeOptions }) =>
      `${actor?.kind === 'user' ? `user ${actor.user.row.id}` : `address ${address}`} ${routeOptions.config.limit}`,
    allowList: (request) =>
      request.routeOptions.config.limit === undefined ||
      (!request.routeOptions.config.isPublic && request.actor?.kind === 'server'),
    errorResponseBuilder: (_request, context) => tooMany(context.ttl),
  });
  const check = app.createRateLimit();
  return async (call) => {
    // The functions above look at no more of a request than this.
    const taken = await check(call as FastifyRequest);
    if (taken.isAllowed) return { headers: {}, refusal: undefined };
    const { max, remaining, ttl, ttlInSeconds, isExceeded } = taken;
    const headers = {
      'ratelimit-limit': max,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': ttlInSeconds,
    };
    if (!isExceeded) return { headers, refusal: undefined };
    return { headers: { ...headers, 'retry-after': ttlInSeconds }, refusal: tooMany(ttl) };
  };
};
