import {
  builtInRoles,
  capabilities,
  channelRoles,
  ParleyError,
  permissionRuleAllowAll,
  permissionRuleDenyAll,
} from '@parley/protocol';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { deleteRole, hasRole, insertRoles, isRoleInUse, listRoles, lockRole } from './store.ts';

export type RoleExists = (db: Db, name: string) => Promise<boolean>;
export type Roles = ReturnType<typeof createRoleService>;

export const createRoleService = (kernel: Kernel) => {
  const exists: RoleExists = hasRole;
  return {
    list: () => listRoles(kernel.db),
    permissions: () => ({
      permissions: [...capabilities],
      rules: [permissionRuleAllowAll, permissionRuleDenyAll].map((rule) => ({
        ...rule,
        resources: [...rule.resources],
        roles: [...rule.roles],
      })),
    }),
    async ensure(): Promise<void> {
      await insertRoles(
        kernel.db,
        builtInRoles.map((name) => ({ name, custom: false })),
      );
    },
    exists,
    /** Whether a user may have the role; roles of channels are given to members alone. */
    isAppRole: (async (db, name) =>
      !channelRoles.some((role) => role === name) && exists(db, name)) satisfies RoleExists,
    async create(name: string) {
      const [row] = await insertRoles(kernel.db, [{ name, custom: true }]);
      if (!row) throw new ParleyError('DuplicateId', `The role ${name} exists`);
      return row;
    },
    async remove(name: string): Promise<void> {
      await kernel.write(async (tx) => {
        const role = await lockRole(tx.db, name);
        if (!role) throw new ParleyError('NotFound', `No role ${name}`);
        if (!role.custom)
          throw new ParleyError('NotAllowed', `The role ${name} is built in and stays (delete-role)`);
        if (await isRoleInUse(tx.db, name))
          throw new ParleyError('InputInvalid', `Someone still has the role ${name}`, [
            { path: 'name', message: 'is still in use' },
          ]);
        await deleteRole(tx.db, name);
      });
    },
  };
};
