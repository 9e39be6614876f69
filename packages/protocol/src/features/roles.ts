import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { closed, Time } from '../schema.ts';

const RoleName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  errorText: 'must be 1 to 64 of a–z 0–9 _ - and begin with a letter',
});

/** Highest priority that matches decides; at the same priority Deny wins; with none, deny. */
export const PermissionRuleSchema = closed({
  name: Type.String({ minLength: 1, maxLength: 128 }),
  action: Type.Enum(['Allow', 'Deny']),
  priority: Type.Integer({ minimum: 1, maximum: 999 }),
  resources: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 })),
  roles: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 })),
  owner: Type.Optional(Type.Boolean()),
});
export type PermissionRule = Static<typeof PermissionRuleSchema>;

const RoleSchema = Type.Object({ name: Type.String(), custom: Type.Boolean(), created_at: Time });
export type Role = Static<typeof RoleSchema>;

export const rolesCalls = {
  'GET /permissions': call({
    side: 'S',
    limit: 'read',
    summary: 'Every capability a rule may name, and the two ready rules',
    reply: Type.Object({ permissions: Type.Array(Type.String()), rules: Type.Array(PermissionRuleSchema) }),
  }),
  'GET /roles': call({
    side: 'S',
    limit: 'read',
    summary: 'All roles',
    reply: Type.Object({ roles: Type.Array(RoleSchema) }),
  }),
  'POST /roles': call({
    side: 'S',
    limit: 'write',
    summary: 'Make a role',
    status: 201,
    body: closed({ name: RoleName }),
    reply: Type.Object({ role: RoleSchema }),
  }),
  'DELETE /roles/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Delete a custom role that nobody has',
    path: { name: RoleName },
    reply: Type.Object({}),
  }),
};
