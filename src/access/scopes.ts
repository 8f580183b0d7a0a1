import { lesserRole, type Role, roleAllows } from './plans.ts';

/**
 * `write` includes `read`, and `admin` includes both. `write:direct` is `write` without review: what an agent changes is
 * accepted at once. No key ever acts as an owner.
 */
export const SCOPES = ['read', 'write', 'write:direct', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const MOST: Readonly<Record<Scope, Role>> = {
  read: 'viewer',
  write: 'editor',
  'write:direct': 'editor',
  admin: 'admin',
};

const widest = (scopes: readonly Scope[]): Scope =>
  SCOPES.findLast((scope) => scopes.includes(scope)) ?? 'read';

/** The role of a key: the one its widest scope allows, but never more than its owner's. */
export const roleOfKey = (scopes: readonly Scope[], owner: Role): Role =>
  lesserRole(MOST[widest(scopes)], owner);

/** The scopes of a key that may do everything its owner may; to skip the review of agents' changes must be asked for. */
export const scopesOfOwner = (owner: Role): Scope[] => [
  SCOPES.findLast((scope) => scope !== 'write:direct' && roleAllows(owner, MOST[scope])) ?? 'read',
];

export const mayOnlyRead = (scopes: readonly Scope[]): boolean => widest(scopes) === 'read';

export const mayWriteDirectly = (scopes: readonly Scope[]): boolean => scopes.includes('write:direct');
