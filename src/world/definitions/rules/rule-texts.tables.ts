import type { Selectable } from 'kysely';
import type { Migration } from '../../../platform/database/migration.ts';

/** A text of a rule file; the newest one of a path was in force last. */
export interface RuleTextsTable {
  tenant_id: string;
  project_id: string;
  path: string;
  /** Counts from 1 for each path. */
  version: number;
  checksum: string;
  content: string;
  source: 'api' | 'file';
  created_at: string;
  created_by: string | null;
}

export interface RuleTextTables {
  rule_texts: RuleTextsTable;
}

export type RuleTextRow = Selectable<RuleTextsTable>;

export const ruleTextMigrations: readonly Migration[] = [
  {
    name: 'rules-1',
    async up({ schema }, { text, bigint }) {
      await schema
        .createTable('rule_texts')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('path', text, (c) => c.notNull())
        .addColumn('version', bigint, (c) => c.notNull())
        .addColumn('checksum', text, (c) => c.notNull())
        .addColumn('content', text, (c) => c.notNull())
        .addColumn('source', text, (c) => c.notNull())
        .addColumn('created_at', text, (c) => c.notNull())
        .addColumn('created_by', text)
        .addPrimaryKeyConstraint('rule_texts_key', ['tenant_id', 'project_id', 'path', 'version'])
        .execute();
    },
  },
];
