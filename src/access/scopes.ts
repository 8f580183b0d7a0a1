import { lesserRole, type Role, roleAllows } from './plans.ts';

/** `write` includes `read`, and `admin` includes both. No key ever acts as an owner. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const MOST: Readonly<Record<Scope, Role>> = { read: 'viewer', write: 'editor', admin: 'admin' };

const widest = (scopes: readonly Scope[]): Scope =>
  SCOPES.findLast((scope) => scopes.includes(scope)) ?? 'read';

/** The role of a key: the one its widest scope allows, but never more than its owner's. */
export const roleOfKey = (scopes: readonly Scope[], owner: Role): Role =>
  lesserRole(MOST[widest(scopes)], owner);

/** The scopes of a key that may do everything its owner may. */
export const scopesOfOwner = (owner: Role): Scope[] => [
  SCOPES.findLast((scope) => roleAllows(owner, MOST[scope])) ?? 'read',
];

export const mayOnlyRead = (scopes: readonly Scope[]): boolean => widest(scopes) === 'read';
