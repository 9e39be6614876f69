import { capabilities, type PermissionRule } from '@parley/protocol';
import { expect, test } from 'vitest';
import { compileRules, decide } from '../../access/engine.ts';

const rule = (action: 'Allow' | 'Deny', priority: number, more: Partial<PermissionRule> = {}) => ({
  name: `${action} at ${priority}`,
  action,
  priority,
  resources: ['send-message'],
  roles: ['user'],
  ...more,
});
const allow = (priority: number, more?: Partial<PermissionRule>) => rule('Allow', priority, more);
const deny = (priority: number, more?: Partial<PermissionRule>) => rule('Deny', priority, more);

const table: [title: string, rules: PermissionRule[], allowed: boolean, isOwner?: boolean][] = [
  ['no rule', [], false],
  ['one that allows', [allow(1)], true],
  ['of another role', [allow(1, { roles: ['admin'] })], false],
  ['of another resource', [allow(1, { resources: ['read-channel'] })], false],
  ['the higher allows', [deny(1), allow(2)], true],
  ['the higher denies', [deny(2), allow(1)], false],
  ['a tie, denied last', [allow(5), deny(5)], false],
  ['a tie, denied first', [deny(5), allow(5)], false],
  ['any role', [allow(1, { roles: ['*'] })], true],
  ['any resource', [allow(1, { resources: ['*'] })], true],
  ['roles and resources left out', [{ name: 'all', action: 'Allow', priority: 1 } as PermissionRule], true],
  ['for owners, by another', [allow(1, { owner: true })], false],
  ['for owners, by the owner', [allow(1, { owner: true })], true, true],
  ['a denial for owners, by another', [allow(1), deny(2, { owner: true })], true],
  ['a denial for owners, by the owner', [allow(1), deny(2, { owner: true })], false, true],
];

test.each(table)('%s', (_title, rules, allowed, isOwner = false) => {
  expect(decide(rules, 'send-message', ['user'], isOwner)).toBe(allowed);
});

test('one of several roles is enough', () => {
  expect(decide([allow(1)], 'send-message', ['guest', 'user'], false)).toBe(true);
});

test('the table of answers is made once for each set of roles, and says the same', () => {
  const rules = [allow(2, { owner: true, resources: ['*'] }), allow(1)];
  const grants = compileRules(rules);

  expect(grants(['user'])).toBe(grants(['user']));
  expect([...grants(['user']).any]).toEqual(['send-message']);
  expect([...grants(['user']).own]).toEqual([...capabilities]);
  expect(grants(['guest']).any.size).toBe(0);
});
