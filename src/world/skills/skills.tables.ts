import type { Migration } from '../../platform/database/migration.ts';
import { createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

export interface SkillRow {
  tenant_id: string;
  skill_id: string;
  name: string;
  description: string;
  category: string | null;
  /** JSON, like `definition` and `parameters`. */
  tags: string;
  definition: string;
  prompt_template: string;
  parameters: string;
  min_tier: string;
  is_featured: number;
  is_builtin: number;
  usage_count: number;
  /** Folded words of name, description and id, with a space around each. */
  words: string;
  /** Of the shipped skill that the row says; null for a tenant's own. */
  shipped_print: string | null;
  created_at: string;
  updated_at: string;
}

export interface InstallationRow {
  tenant_id: string;
  /** The user's id in a self-hosted core; the tenant's in the cloud. */
  scope_id: string;
  skill_id: string;
  installation_id: string;
  enabled: number;
  source: string;
  source_url: string | null;
  installed_by: string;
  installed_at: string;
  updated_at: string;
  version: string | null;
}

export interface SkillTables {
  agent_skills: SkillRow;
  agent_skill_installations: InstallationRow;
}

export const skillMigrations: readonly Migration[] = [
  {
    name: 'skills-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'agent_skills', [
        notNull(text, 'tenant_id', 'skill_id', 'name', 'description'),
        nullable(text, 'category'),
        notNull(text, 'tags', 'definition', 'prompt_template', 'parameters', 'min_tier'),
        notNull('integer', 'is_featured', 'is_builtin', 'usage_count'),
        notNull(text, 'words'),
        nullable(text, 'shipped_print'),
        notNull(text, 'created_at', 'updated_at'),
        keyOf('tenant_id', 'skill_id'),
      ]);
      await createTable(schema, 'agent_skill_installations', [
        notNull(text, 'tenant_id', 'scope_id', 'skill_id', 'installation_id'),
        notNull('integer', 'enabled'),
        notNull(text, 'source'),
        nullable(text, 'source_url'),
        notNull(text, 'installed_by', 'installed_at', 'updated_at'),
        nullable(text, 'version'),
        keyOf('tenant_id', 'scope_id', 'skill_id'),
      ]);
    },
  },
];
