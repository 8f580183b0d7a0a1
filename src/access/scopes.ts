import { lesserRole, type Role, roleAllows } from './plans.ts';

/** What a key may do: `write` includes `read`, `admin` includes both. No key is ever an owner. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const MOST: Readonly<Record<Scope, Role>> = { read: 'viewer', write: 'editor', admin: 'admin' };

const widest = (scopes: readonly Scope[]): Scope =>
  SCOPES.findLast((scope) => scopes.includes(scope)) ?? 'read';

/** The role of a key: what its widest scope allows, and never more than its owner's. */
export const roleOfKey = (scopes: readonly Scope[], owner: Role): Role =>
  lesserRole(MOST[widest(scopes)], owner);

/** The scopes of a key that is to do what its owner may. */
export const scopesOfOwner = (owner: Role): Scope[] => [
  SCOPES.findLast((scope) => roleAllows(owner, MOST[scope])) ?? 'read',
];

export const mayOnlyRead = (scopes: readonly Scope[]): boolean => widest(scopes) === 'read';
