import type { FieldType } from '../template/index.ts';

/** One change of a type's fields that its entities are to follow. Fields are top-level keys of the frontmatter. */
export type FieldChange =
  | { kind: 'rename'; field: string; to: string }
  | { kind: 'retype'; field: string; type: FieldType }
  | { kind: 'remove'; field: string }
  /** Adds the field where a file lacks it. */
  | { kind: 'add'; field: string; value: unknown };

/** The effect of a change on one file. `line` counts from 1 and is the field's place before the change. */
export type FieldEffect =
  | { kind: 'none'; has: boolean }
  | { kind: 'changed'; has: boolean; line: number | null; before: unknown; after: unknown }
  /** The field stays as it is. */
  | { kind: 'refused'; has: true; line: number; value: unknown; reason: string };

export interface Migrated {
  text: string;
  /** One for each change, in their order. */
  effects: FieldEffect[];
}
