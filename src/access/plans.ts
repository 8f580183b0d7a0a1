/** Plans and roles (spec 1 §2.7, §8); -1 means unlimited. */

export const PLAN_NAMES = ['free', 'indie', 'team', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export interface PlanFeatures {
  web_access: boolean;
  cloud_sync: boolean;
  cloud_drive: boolean;
  mobile_access: boolean;
  sso: boolean;
  custom_templates: boolean;
  ai_generation: boolean;
}
export type PlanFeature = keyof PlanFeatures;

export interface Plan {
  name: PlanName;
  /** Grows with the plan; gaps leave room for plans in between. */
  tier: number;
  entities_limit: number;
  activation_limit: number;
  max_users: number;
  /** Per month; per user, and pooled where `credits_pooled`. */
  credits_monthly: number;
  credits_pooled: boolean;
  storage_bytes: number;
  features: PlanFeatures;
}

const GB = 1_000_000_000;

const EVERY_FEATURE: PlanFeatures = {
  web_access: true,
  cloud_sync: true,
  cloud_drive: true,
  mobile_access: true,
  sso: true,
  custom_templates: true,
  ai_generation: true,
};

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: {
    name: 'free',
    tier: 0,
    entities_limit: 100,
    activation_limit: 5,
    max_users: 1,
    credits_monthly: 100,
    credits_pooled: false,
    storage_bytes: 0,
    features: {
      web_access: false,
      cloud_sync: false,
      cloud_drive: false,
      mobile_access: false,
      sso: false,
      custom_templates: false,
      ai_generation: true,
    },
  },
  indie: {
    name: 'indie',
    tier: 10,
    entities_limit: 5000,
    activation_limit: 15,
    max_users: 1,
    credits_monthly: 500,
    credits_pooled: false,
    storage_bytes: 25 * GB,
    features: { ...EVERY_FEATURE, mobile_access: false, sso: false },
  },
  team: {
    name: 'team',
    tier: 20,
    entities_limit: -1,
    activation_limit: -1,
    max_users: -1,
    credits_monthly: 750,
    credits_pooled: true,
    storage_bytes: 100 * GB,
    features: EVERY_FEATURE,
  },
  enterprise: {
    name: 'enterprise',
    tier: 30,
    entities_limit: -1,
    activation_limit: -1,
    max_users: -1,
    credits_monthly: -1,
    credits_pooled: true,
    storage_bytes: -1,
    features: EVERY_FEATURE,
  },
};

export function isPlanName(value: unknown): value is PlanName {
  return typeof value === 'string' && (PLAN_NAMES as readonly string[]).includes(value);
}

/** True if `count` more fit when `used` are there; -1 as the limit always fits. */
export function fitsLimit(limit: number, used: number, count = 1): boolean {
  return limit < 0 || used + count <= limit;
}

/** From the least to the most powerful. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && (ROLES as readonly string[]).includes(value);
}

/** The more powerful of a person's two roles. With the lesser one, the first user would not be an owner. */
export const strongest = ({ role, tenantRole }: { role: Role; tenantRole: Role }): Role =>
  roleAllows(role, tenantRole) ? role : tenantRole;

export const lesserRole = (one: Role, other: Role): Role => (roleAllows(one, other) ? other : one);

/** True if a holder of `role` may do everything that `needed` may. */
export function roleAllows(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The least role for each permission (spec 1 §2.7); contracts take their role from here. */
export const PERMISSIONS = {
  read_content: 'viewer',
  create_entities: 'editor',
  edit_entities: 'editor',
  delete_entities: 'editor',
  use_ai: 'editor',
  empty_recycle_bin: 'admin',
  manage_templates: 'admin',
  manage_rules: 'admin',
  manage_settings: 'admin',
  invite_users: 'admin',
  change_roles: 'admin',
  deactivate_users: 'admin',
  manage_api_keys: 'admin',
  manage_tenants: 'admin',
  read_logs: 'admin',
  manage_owners: 'owner',
  manage_billing: 'owner',
  delete_tenant: 'owner',
} as const satisfies Readonly<Record<string, Role>>;
export type Permission = keyof typeof PERMISSIONS;

export const permissionsOf = (role: Role): Permission[] =>
  (Object.keys(PERMISSIONS) as Permission[]).filter((permission) =>
    roleAllows(role, PERMISSIONS[permission]),
  );
