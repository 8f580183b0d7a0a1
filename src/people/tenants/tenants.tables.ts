import type { PlanName } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { PlanSource } from './plan-grants.ts';

export interface TenantRow {
  tenant_id: string;
  name: string;
  slug: string;
  plan: PlanName;
  max_users: number;
  credits_monthly: number;
  /** A JSON object with deviations from the plan's flags and credits. */
  features: string;
  /** 0 or 1. */
  is_operator: number;
  created_at: string;
  updated_at: string;
  /** End of access, when the content is removed, if an owner requested it. */
  deletes_at: string | null;
}

export interface PlanGrantRow {
  tenant_id: string;
  source: PlanSource;
  plan: PlanName;
  max_users: number;
  credits_monthly: number;
  /** A JSON object. */
  features: string;
  /** Milliseconds since the epoch; null if it does not end by itself. */
  ends_at: number | null;
}

export interface TenantTables {
  tenants: TenantRow;
  /** Without rows, the tenant's plan is its base. */
  tenant_plan_grants: PlanGrantRow;
}

export const tenantMigrations: readonly Migration[] = [
  {
    name: 'tenants-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'tenants', [
        key(text, 'tenant_id'),
        notNull(text, 'name'),
        (table) => table.addColumn('slug', text, (column) => column.notNull().unique()),
        notNull(text, 'plan'),
        notNull('integer', 'max_users', 'credits_monthly'),
        notNull(text, 'features'),
        notNull('integer', 'is_operator'),
        notNull(text, 'created_at', 'updated_at'),
      ]);
    },
  },
  {
    name: 'tenants-2-deletes-at',
    up: ({ schema }, { text }) => schema.alterTable('tenants').addColumn('deletes_at', text).execute(),
  },
  {
    name: 'tenants-3-plan-grants',
    up: ({ schema }, { text, bigint }) =>
      createTable(schema, 'tenant_plan_grants', [
        notNull(text, 'tenant_id', 'source', 'plan'),
        notNull('integer', 'max_users', 'credits_monthly'),
        notNull(text, 'features'),
        nullable(bigint, 'ends_at'),
        keyOf('tenant_id', 'source'),
      ]),
  },
];
