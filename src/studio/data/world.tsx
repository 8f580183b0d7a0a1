import { createContext, type ReactNode, useContext } from 'react';
import { PERMISSIONS, type Permission, roleAllows, strongest } from '../../access/plans.ts';
import type { Me } from './session.ts';
import type { EntityType } from './types.ts';

/** The data that every page of a world needs: its id, the user and their permissions, and its types. */
export interface World {
  project: string;
  me: Me;
  types: readonly EntityType[];
  typeOf(type: string): EntityType | undefined;
  can(permission: Permission): boolean;
}

const WorldContext = createContext<World | null>(null);

/** True if the user has the permission, whatever the world. */
export const mayDo = (me: Me, permission: Permission): boolean =>
  roleAllows(strongest({ role: me.role, tenantRole: me.tenant_role }), PERMISSIONS[permission]);

export const worldOf = (project: string, me: Me, types: readonly EntityType[]): World => {
  const byName = new Map(types.map((one) => [one.type, one]));
  return {
    project,
    me,
    types,
    typeOf: (type) => byName.get(type),
    can: (permission) => mayDo(me, permission),
  };
};

export const WorldProvider = ({ world, children }: { world: World; children: ReactNode }) => (
  <WorldContext value={world}>{children}</WorldContext>
);

export function useWorld(): World {
  const world = useContext(WorldContext);
  if (!world) throw new Error('useWorld belongs below WorldProvider');
  return world;
}
