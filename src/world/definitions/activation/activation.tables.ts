import type { Migration } from '../../../platform/database/migration.ts';
import { createTable, keyOf, notNull } from '../../../platform/database/tables.ts';

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
      await createTable(schema, 'template_activations', [
        notNull(text, 'tenant_id', 'project_id', 'entity_type', 'activated_at', 'activated_by'),
        keyOf('tenant_id', 'project_id', 'entity_type'),
      ]);
    },
  },
];
