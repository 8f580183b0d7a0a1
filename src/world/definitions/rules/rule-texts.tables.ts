import type { Selectable } from 'kysely';
import type { Migration } from '../../../platform/database/migration.ts';
import { createTable, keyOf, notNull, nullable } from '../../../platform/database/tables.ts';

/** A text of a rule or skill file; the newest one of a path was in force last. */
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
      await createTable(schema, 'rule_texts', [
        notNull(text, 'tenant_id', 'project_id', 'path'),
        notNull(bigint, 'version'),
        notNull(text, 'checksum', 'content', 'source', 'created_at'),
        nullable(text, 'created_by'),
        keyOf('tenant_id', 'project_id', 'path', 'version'),
      ]);
    },
  },
];
