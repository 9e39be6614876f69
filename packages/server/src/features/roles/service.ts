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
import { isRoleInUse, lockRole } from './store.ts';

export type RoleExists = (db: Db, name: string) => Promise<boolean>;
export type Roles = ReturnType<typeof createRoles>;

export const createRoles = (kernel: Kernel) => {
  const list = () => kernel.db.selectFrom('roles').selectAll().orderBy('name').execute();
  const exists: RoleExists = async (db, name) => {
    const row = await db.selectFrom('roles').select('name').where('name', '=', name).executeTakeFirst();
    return row !== undefined;
  };
  return {
    list,
    permissions: () => ({
      permissions: [...capabilities],
      rules: [permissionRuleAllowAll, permissionRuleDenyAll].map((rule) => ({
        ...rule,
        resources: [...rule.resources],
        roles: [...rule.roles],
      })),
    }),
    async ensure(): Promise<void> {
      await kernel.db
        .insertInto('roles')
        .values(builtInRoles.map((name) => ({ name, custom: false })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    exists,
    /** Whether a user may have the role; roles of channels are given to members alone. */
    isAppRole: (async (db, name) =>
      !channelRoles.some((role) => role === name) && exists(db, name)) satisfies RoleExists,
    async create(name: string) {
      const row = await kernel.db
        .insertInto('roles')
        .values({ name, custom: true })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
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
        await tx.db.deleteFrom('roles').where('name', '=', name).execute();
      });
    },
  };
};
