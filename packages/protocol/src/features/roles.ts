import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional, record } from '../record.ts';
import { closed, Time } from '../schema.ts';

const RoleName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  errorText: 'must be 1 to 64 of a–z 0–9 _ - and begin with a letter',
});

const permissionRule = closed({
  name: doc('A name that says what the rule is for.', Type.String({ minLength: 1, maxLength: 128 })),
  action: doc('Whether the rule allows or denies.', Type.Enum(['Allow', 'Deny'])),
  priority: doc(
    'The matching rule with the highest priority decides; at the same priority Deny wins.',
    Type.Integer({ minimum: 1, maximum: 999 }),
  ),
  resources: optional(
    'The capabilities that the rule is about; left out for all.',
    Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 }),
  ),
  roles: optional(
    'The roles that the rule is about; left out for all.',
    Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 }),
  ),
  owner: optional('Whether the rule matches only what the user has created.', Type.Boolean()),
});
/** A rule of permissions; an action that no rule matches is denied. */
export interface PermissionRule extends Static<typeof permissionRule> {}
export const PermissionRuleSchema = record<PermissionRule>('PermissionRule', permissionRule);

const role = Type.Object({
  name: doc('The name of the role, unique in the app.', Type.String()),
  custom: doc('Whether the app has added the role; false for one that is built in.', Type.Boolean()),
  created_at: doc('When the role was created.', Time),
});
export interface Role extends Static<typeof role> {}
const RoleSchema = record<Role>('Role', role);

export const rolesCalls = {
  'GET /permissions': call({
    side: 'S',
    limit: 'read',
    summary: 'Every capability a rule may name, and the two ready rules',
    reply: Type.Object({
      permissions: doc('Every capability that a rule may name.', Type.Array(Type.String())),
      rules: doc('The two ready rules: allow all and deny all.', Type.Array(PermissionRuleSchema)),
    }),
  }),
  'GET /roles': call({
    side: 'S',
    limit: 'read',
    summary: 'All roles',
    reply: Type.Object({ roles: doc('All roles.', Type.Array(RoleSchema)) }),
  }),
  'POST /roles': call({
    side: 'S',
    limit: 'write',
    summary: 'Make a role',
    status: 201,
    body: closed({ name: doc('The name of the new role.', RoleName) }),
    reply: Type.Object({ role: doc('The new role.', RoleSchema) }),
  }),
  'DELETE /roles/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Delete a custom role that nobody has',
    path: { name: doc('The name of the role.', RoleName) },
    reply: Type.Object({}),
  }),
};
