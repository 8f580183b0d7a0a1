import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull } from '../../platform/database/tables.ts';

export interface LetterRow {
  letter_id: string;
  recipient: string;
  subject: string;
  body: string;
  /** Milliseconds since the epoch. */
  created_at: number;
  due_at: number;
  attempts: number;
}

export interface LetterTables {
  letters: LetterRow;
}

export const letterMigrations: readonly Migration[] = [
  {
    name: 'letters-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'letters', [
        key(text, 'letter_id'),
        notNull(text, 'recipient', 'subject', 'body'),
        notNull(bigint, 'created_at', 'due_at'),
        notNull('integer', 'attempts'),
      ]);
      await createIndex(schema, 'letters_due', 'letters', ['due_at']);
    },
  },
];
