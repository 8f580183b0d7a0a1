import { type TSchema, Type } from 'typebox';
import { PERMISSIONS, PLAN_NAMES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { closed, named } from '../../kit/schemas.ts';

const TAG = 'Tenants';
const Amount = Type.Integer({ minimum: -1, maximum: 1_000_000_000, description: '-1: no limit' });
const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

const Tenant = named('Tenant', {
  tenant_id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  plan: Type.Enum([...PLAN_NAMES]),
  max_users: Amount,
  credits_monthly: Amount,
  features: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer()]), {
    description: 'Where the tenant has more or less than its plan',
  }),
  created_at: Type.String(),
});

const example = {
  tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
  name: 'Studio Mara',
  slug: 'studio-mara',
  plan: 'team',
  max_users: 5,
  credits_monthly: 750,
  features: {},
  created_at: '2026-03-04T05:06:07.890Z',
};

const OPERATOR = 'For admins of the tenant that runs the installation, which is the first one.';

export const createTenant = contract('POST /api/tenants', {
  name: 'createTenant',
  peopleOnly: true,
  auth: 'bearer',
  role: PERMISSIONS.manage_tenants,
  tag: TAG,
  summary: 'Make a tenant',
  description: `${OPERATOR} What is left out is as the plan has it; invite its first owner with \`POST /api/auth/invite\`.`,
  body: closed({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    slug: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
    plan: Type.Optional(Type.Enum([...PLAN_NAMES])),
    max_users: Type.Optional(Amount),
    credits_monthly: Type.Optional(Amount),
  }),
  reply: Tenant,
  status: 201,
  errors: [403, 409],
  example: { body: { name: 'Studio Mara', slug: 'studio-mara', plan: 'team', max_users: 5 }, reply: example },
});

/** The names by which plan features are given and taken (spec 1 §2.7). */
export const featureFlags = <Flag extends TSchema>(flag: Flag) => ({
  web_access: flag,
  cloud_sync: flag,
  cloud_drive: flag,
  cloud_drive_sync: flag,
  mobile_access: flag,
  sso: flag,
  custom_templates: flag,
  ai_generation: flag,
});

const FeatureChanges = closed({
  ...featureFlags(Flag),
  credits_monthly_override: Type.Optional(Type.Union([Amount, Type.Null()])),
});

export const updateTenantFeatures = contract('PATCH /api/tenants/{tenant_id}/features', {
  name: 'updateTenantFeatures',
  peopleOnly: true,
  auth: 'bearer',
  role: PERMISSIONS.manage_tenants,
  tag: TAG,
  summary: 'Give a tenant more or less than its plan',
  description: `${OPERATOR} What is left out stays; null goes back to the plan. It counts within five seconds.`,
  params: Type.Object({ tenant_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }),
  body: closed({ features: FeatureChanges }),
  reply: Tenant,
  errors: [403, 404],
  example: {
    params: { tenant_id: example.tenant_id },
    body: { features: { sso: true } },
    reply: { ...example, features: { sso: true } },
  },
});
