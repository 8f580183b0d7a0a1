import type { FieldType } from '../template/index.ts';

/** Fields are top-level keys of the frontmatter. */
export type FieldChange =
  | { kind: 'rename'; field: string; to: string }
  | { kind: 'retype'; field: string; type: FieldType }
  | { kind: 'remove'; field: string }
  /** If the file lacks it. */
  | { kind: 'add'; field: string; value: unknown };

/** `line` counts from 1 and is the field's place before the change. */
export type FieldEffect =
  | { kind: 'none'; has: boolean }
  | { kind: 'changed'; has: boolean; line: number | null; before: unknown; after: unknown }
  /** The field stays as it is. */
  | { kind: 'refused'; has: true; line: number; value: unknown; reason: string };

export interface Migrated {
  text: string;
  /** In the order of the changes. */
  effects: FieldEffect[];
}
