import {
  type App,
  type AppCapability,
  appCapabilities,
  invalid,
  ParleyError,
  type PermissionRule,
} from '@parley/protocol';
import { decide } from '../../access/engine.ts';
import type { Actor } from '../../auth/actor.ts';
import { isStale } from '../../bus/bus.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { parseSince } from '../../query/since.ts';
import { type AppRow, ensureApp, findApp, updateApp } from './store.ts';

export type AppPatch = {
  name?: string;
  suspended?: boolean;
  guests_enabled?: boolean;
  anonymous_enabled?: boolean;
  permissions?: PermissionRule[] | null;
  revoke_tokens_issued_before?: string | null;
};
export type Apps = ReturnType<typeof createAppService>;

const defaultRules: PermissionRule[] = [
  {
    name: 'Visitors list nobody',
    action: 'Deny',
    priority: 200,
    resources: ['search-users'],
    roles: ['guest', 'anonymous'],
  },
  {
    name: 'Everyone else finds people',
    action: 'Allow',
    priority: 100,
    resources: ['search-users'],
    roles: ['*'],
  },
];

const rulesOf = (row: AppRow): PermissionRule[] => row.permissions ?? defaultRules;

const checkRules = (rules: PermissionRule[]): void => {
  const known = new Set<string>(['*', ...appCapabilities]);
  for (const [index, { resources = [] }] of rules.entries())
    for (const [at, resource] of resources.entries())
      if (!known.has(resource))
        throw invalid(`permissions.${index}.resources.${at}`, `no right of the app is called "${resource}"`);
};

/** A time to come would lock out the server's own tokens too, until then. */
const parsePast = (since: string | null, now: string): string | null => {
  const time = parseSince(since, 'revoke_tokens_issued_before');
  if (time !== null && Date.parse(time) > Date.parse(now) + clockTolerance)
    throw invalid('revoke_tokens_issued_before', 'must not be a time to come');
  return time;
};
const clockTolerance = 60_000;

const toApp = (row: AppRow): App => ({
  name: row.name,
  suspended: row.suspended,
  guests_enabled: row.guests_enabled,
  anonymous_enabled: row.anonymous_enabled,
  permissions: rulesOf(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
  ...(row.revoke_tokens_issued_before === null
    ? {}
    : { revoke_tokens_issued_before: row.revoke_tokens_issued_before }),
});

const switchedOff = {
  guest: 'Guests are switched off in this app (guests_enabled)',
  anonymous: 'Anonymous visitors are switched off in this app (anonymous_enabled)',
};

/** The one app of this deployment: its settings, read on every call and so kept at hand. */
export const createAppService = (kernel: Kernel) => {
  let kept: AppRow | undefined;
  /** Bumped by every forgetting: a row read before it must not be kept after it, or revoked tokens stay good. */
  let epoch = 0;
  kernel.bus.subscribe((event) => {
    if (!isStale(event, 'app')) return;
    epoch++;
    kept = undefined;
  });

  const get = async (): Promise<AppRow> => {
    if (kept) return kept;
    const before = epoch;
    const row = await findApp(kernel.db);
    if (epoch === before) kept = row;
    return row;
  };

  const may = async (actor: Actor, right: AppCapability): Promise<boolean> =>
    actor.kind === 'server' || decide(rulesOf(await get()), right, [actor.user.row.role], false);

  return {
    get,
    may,
    /** Refuses whom the app does not let in: everyone while it is suspended, visitors where they are switched off. */
    async checkVisitor(kind: 'guest' | 'anonymous'): Promise<void> {
      const app = await get();
      if (app.suspended) throw new ParleyError('AppSuspended');
      if (kind === 'guest' ? !app.guests_enabled : !app.anonymous_enabled)
        throw new ParleyError('NotAllowed', switchedOff[kind]);
    },
    ensure: (): Promise<void> => ensureApp(kernel.db, 'Parley'),
    async show(): Promise<App> {
      return toApp(await get());
    },
    async patch({
      revoke_tokens_issued_before: since,
      permissions: rules,
      ...values
    }: AppPatch): Promise<App> {
      if (rules) checkRules(rules);
      const row = await kernel.write(async (tx) => {
        tx.stale({ what: 'app', key: '' });
        return updateApp(tx.db, {
          ...values,
          ...(since === undefined ? {} : { revoke_tokens_issued_before: parsePast(since, tx.now) }),
          ...(rules === undefined ? {} : { permissions: rules === null ? null : JSON.stringify(rules) }),
          updated_at: tx.now,
        });
      });
      return toApp(row);
    },
  };
};
