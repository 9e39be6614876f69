import { invalid, ParleyError } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Limits = {
  /** How long a body may take to arrive. */
  ms: number;
  /** How many bodies of one caller may be on their way at a time. */
  atOnce: number;
};

/** A body is held in memory until it is whole. 1 MiB takes 30 s at 35 KiB/s. */
export const bodyLimits: Limits = { ms: 30_000, atOnce: 50 };

const tooMany = (most: number): ParleyError =>
  new ParleyError('RateLimited', `Too many calls at once: the bodies of ${most} have not come whole yet`);

/** Answers a call whose body does not come, and ends its connection: nothing else can follow on it. */
const giveUp = ({ raw }: FastifyRequest, reply: FastifyReply, ms: number): void => {
  reply.header('connection', 'close');
  reply.raw.once('finish', () => raw.destroy());
  // The reader of the body gets the error of a failed connection, and answers.
  raw.emit('error', invalid('body', `must arrive within ${Math.round(ms / 1000)} s`));
};

/** Whether the whole body is in memory. `complete` alone does not say so: Node sets it only after the calls that wait for the
 * first bytes have gone on, so every request would get a timer and three listeners. */
export const hasArrived = ({ complete, readableLength, headers }: FastifyRequest['raw']): boolean =>
  complete || readableLength === Number(headers['content-length']);

/** Bounds how long JSON bodies take and how many of a caller are unfinished: each holds memory and a connection. Forms have
 * limits of their own, and most bodies are there before anybody looks. */
export const limitSlowBodies = (app: FastifyInstance, { ms, atOnce }: Limits): void => {
  const underWay = new Map<string, number>();

  const begin = (request: FastifyRequest, reply: FastifyReply, caller: string): void => {
    const { raw } = request;
    underWay.set(caller, (underWay.get(caller) ?? 0) + 1);
    const late = setTimeout(() => giveUp(request, reply, ms), ms);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      const left = (underWay.get(caller) ?? 1) - 1;
      if (left === 0) underWay.delete(caller);
      else underWay.set(caller, left);
    };
    for (const event of ['end', 'error', 'close']) raw.once(event, end);
  };

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { actor, raw, routeOptions } = request;
    if (hasArrived(raw) || routeOptions.config.form === true) return done(null, payload);
    const isServer = actor?.kind === 'server' && routeOptions.config.isPublic !== true;
    const caller = actor?.kind === 'user' ? `user ${actor.user.row.id}` : request.address;
    if (!isServer && (underWay.get(caller) ?? 0) >= atOnce) return done(tooMany(atOnce));
    begin(request, reply, isServer ? 'server' : caller);
    done(null, payload);
  });
};
