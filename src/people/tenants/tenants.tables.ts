import type { PlanName } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';

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

export interface TenantTables {
  tenants: TenantRow;
}

export const tenantMigrations: readonly Migration[] = [
  {
    name: 'tenants-1',
    async up({ schema }, { text }) {
      await schema
        .createTable('tenants')
        .addColumn('tenant_id', text, (column) => column.primaryKey())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('slug', text, (column) => column.notNull().unique())
        .addColumn('plan', text, (column) => column.notNull())
        .addColumn('max_users', 'integer', (column) => column.notNull())
        .addColumn('credits_monthly', 'integer', (column) => column.notNull())
        .addColumn('features', text, (column) => column.notNull())
        .addColumn('is_operator', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'tenants-2-deletes-at',
    up: ({ schema }, { text }) => schema.alterTable('tenants').addColumn('deletes_at', text).execute(),
  },
];
