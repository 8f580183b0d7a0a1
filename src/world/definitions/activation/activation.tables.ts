import type { Migration } from '../../../platform/database/migration.ts';

/** A type that a project's admin activated; core types need no row (spec 1 §2.4). */
export interface TemplateActivationsTable {
  tenant_id: string;
  project_id: string;
  entity_type: string;
  activated_at: string;
  activated_by: string;
}

export interface ActivationTables {
  template_activations: TemplateActivationsTable;
}

export const activationMigrations: readonly Migration[] = [
  {
    name: 'templates-1',
    async up({ schema }, { text }) {
      await schema
        .createTable('template_activations')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('entity_type', text, (c) => c.notNull())
        .addColumn('activated_at', text, (c) => c.notNull())
        .addColumn('activated_by', text, (c) => c.notNull())
        .addPrimaryKeyConstraint('template_activations_key', ['tenant_id', 'project_id', 'entity_type'])
        .execute();
    },
  },
];
