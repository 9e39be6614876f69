import { type Capability, capabilities, type PermissionRule } from '@parley/protocol';

/** Capabilities of a set of roles: on anything, and on records that the actor owns. */
export type Grants = { any: ReadonlySet<Capability>; own: ReadonlySet<Capability> };

const matches = (list: readonly string[] | undefined, names: readonly string[]): boolean =>
  list === undefined || list.includes('*') || names.some((name) => list.includes(name));

/** Highest priority that matches decides; at the same priority Deny wins; with none, deny. */
export const decide = (
  rules: readonly PermissionRule[],
  capability: string,
  roles: readonly string[],
  isOwner: boolean,
): boolean => {
  let best: PermissionRule | undefined;
  for (const rule of rules) {
    if (rule.owner === true && !isOwner) continue;
    if (!matches(rule.resources, [capability]) || !matches(rule.roles, roles)) continue;
    if (best === undefined || rule.priority > best.priority) best = rule;
    else if (rule.priority === best.priority && rule.action === 'Deny') best = rule;
  }
  return best?.action === 'Allow';
};

/** The rules of a channel type as a table of ready answers, one per set of roles. */
export const compileRules = (rules: readonly PermissionRule[]) => {
  const known = new Map<string, Grants>();
  return (roles: readonly string[]): Grants => {
    const key = roles.join(' ');
    const found = known.get(key);
    if (found) return found;
    const grants: Grants = {
      any: new Set(capabilities.filter((capability) => decide(rules, capability, roles, false))),
      own: new Set(capabilities.filter((capability) => decide(rules, capability, roles, true))),
    };
    known.set(key, grants);
    return grants;
  };
};
