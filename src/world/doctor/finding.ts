/** What was looked at; the words are stable. */
export type CheckName =
  | 'database'
  | 'migrations'
  | 'project'
  | 'templates'
  | 'confirmation'
  | 'unreadable_file'
  | 'refused_file'
  | 'skipped_file'
  | 'entity_id'
  | 'file_row'
  | 'entity_row'
  | 'document'
  | 'search'
  | 'counts'
  | 'revisions'
  | 'recycle_bin'
  | 'accounts'
  | 'secrets'
  | 'temporary_files'
  | 'disk_space'
  | 'watch_limit';

/** What mends it without risk; the same services do it that do the daily work. */
export type Repair =
  | { kind: 'migrate' | 'sync' | 'templates' | 'recount' | 'temporary_files' }
  /** Take the file in anew: rows, reply, search entry and counts follow. */
  | { kind: 'reread'; path: string }
  /** Give the entity an id that the API takes. */
  | { kind: 'rename'; path: string }
  /** Move the entity to the recycle bin, as a deletion of its file would have. */
  | { kind: 'recycle'; entityType: string; entityId: string; rowId: number }
  | { kind: 'unindex' | 'forget_documents'; rowIds: readonly number[] }
  /** The folder is gone, the text is kept in the item. */
  | { kind: 'forget_folder'; itemId: string }
  | { kind: 'protect'; file: string };

/** One broken invariant. Paths are relative to the content folder, or absolute outside it. */
export interface Finding {
  check: CheckName;
  severity: 'error' | 'warning';
  path: string | null;
  /** From 1; null where no place in the file is meant. */
  line: number | null;
  column: number | null;
  message: string;
  /** What to do about it. */
  advice: string;
  /** Null where a person has to decide. */
  repair: Repair | null;
}

type Details = Partial<Pick<Finding, 'severity' | 'path' | 'line' | 'column' | 'repair'>>;

/** A finding; an error without place or repair unless `details` say otherwise. */
export const finding = (
  check: CheckName,
  message: string,
  advice: string,
  details: Details = {},
): Finding => ({
  check,
  severity: 'error',
  path: null,
  line: null,
  column: null,
  repair: null,
  ...details,
  message,
  advice,
});

/** The advice for whatever `--fix` mends. */
export const FIX = 'run canonry doctor --fix';
