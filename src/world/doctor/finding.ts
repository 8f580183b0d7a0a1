/** The subject of a check; these words are stable. */
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
  | 'credits'
  | 'secrets'
  | 'temporary_files'
  | 'disk_space'
  | 'watch_limit';

/** A safe repair; the services of daily work carry it out. */
export type Repair =
  | { kind: 'migrate' | 'sync' | 'templates' | 'recount' | 'temporary_files' }
  /** Import the file again: rows, reply, search entry and counts follow. */
  | { kind: 'reread'; path: string }
  /** Give the entity an id that the API accepts. */
  | { kind: 'rename'; path: string }
  /** Move the entity to the recycle bin, like a deletion of its file. */
  | { kind: 'recycle'; entityType: string; entityId: string; rowId: number }
  | { kind: 'unindex' | 'forget_documents'; rowIds: readonly number[] }
  /** The folder is gone; the item keeps the text. */
  | { kind: 'forget_folder'; itemId: string }
  | { kind: 'protect'; file: string };

/** A broken invariant. Paths are relative to the content folder, or absolute outside it. */
export interface DoctorFinding {
  check: CheckName;
  severity: 'error' | 'warning';
  path: string | null;
  /** From 1; null if the finding has no position in the file. */
  line: number | null;
  column: number | null;
  message: string;
  advice: string;
  /** Null if a person must decide. */
  repair: Repair | null;
}

type Details = Partial<Pick<DoctorFinding, 'severity' | 'path' | 'line' | 'column' | 'repair'>>;

export const finding = (
  check: CheckName,
  message: string,
  advice: string,
  details: Details = {},
): DoctorFinding => ({
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

/** The advice for findings that `--fix` repairs. */
export const FIX = 'run canonry doctor --fix';
