import type { ImportOutcome } from '../entities/index.ts';
import type { EntityName } from '../records/index.ts';
import type { ScanSummary } from '../scan/index.ts';

export interface InvalidFile {
  path: string;
  line: number;
  column: number;
  reason: string;
}

export interface SkippedFile {
  path: string;
  reason: string;
}

/** Deletions that are too many to follow unasked; they wait for a sync with `force`. */
export interface HeldDeletions {
  since: string;
  deletions: number;
  entities: number;
  reason: string;
  /** Some of the entities to delete, as `type/id`. */
  examples: string[];
}

export type SyncStatus = 'completed' | 'needs_confirmation' | 'failed';

/** The result of one run. Lists are bounded; the totals beside them are not. */
export interface SyncReport {
  run_id: string;
  scope: string;
  status: SyncStatus;
  started_at: string;
  finished_at: string;
  duration_ms: number;
  files_scanned: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  rerendered_types: string[];
  adopted: number;
  invalid: InvalidFile[];
  invalid_total: number;
  /** The number of them that are new. */
  invalid_new: number;
  skipped: SkippedFile[];
  skipped_total: number;
  unknown_folders: string[];
  /** Entities above the plan's limit; they are read and changed like any others. */
  over_plan: number;
  confirmation: HeldDeletions | null;
  error: { code: string; message: string } | null;
}

const MOST_LISTED = 200;

/** Without `keepsAdded` added names are not kept, for a run that checks all references anyway. */
export function createSyncTally({ keepsAdded }: { keepsAdded: boolean }) {
  const invalid = new Map<string, InvalidFile>();
  const targets: { added: EntityName[]; removed: EntityName[] } = { added: [], removed: [] };
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, adopted: 0 };
  let revalidated = 0;
  let layouts = 0;
  let invalidTotal = 0;
  const newlyInvalid = new Map<string, InvalidFile>();

  function addInvalid(file: InvalidFile): void {
    if (invalid.has(file.path)) return;
    invalidTotal += 1;
    if (invalid.size < MOST_LISTED) invalid.set(file.path, file);
  }

  return {
    counts,
    addInvalid,
    /** Adds unchanged files that are known to be invalid; `total` includes those beyond the list. */
    addKnownInvalid(files: readonly InvalidFile[], total: number): void {
      for (const file of files) addInvalid(file);
      invalidTotal += Math.max(0, total - files.length);
    },
    addOutcome(outcome: ImportOutcome): void {
      counts.created += outcome.created;
      counts.updated += outcome.updated;
      counts.unchanged += outcome.unchanged;
      revalidated += outcome.revalidated;
      layouts += outcome.layouts;
      if (keepsAdded) targets.added.push(...outcome.added);
      targets.removed.push(...outcome.removed);
      for (const { path, line, column, reason } of outcome.problems)
        addInvalid({ path, line, column, reason });
      for (const { path, line, column, reason } of outcome.newProblems)
        newlyInvalid.set(path, { path, line, column, reason });
    },
    addDeleted(names: readonly EntityName[]): void {
      counts.deleted += names.length;
      for (const name of names) targets.removed.push(name);
    },
    addLayoutsGone(count: number): void {
      layouts += count;
    },
    newlyInvalid: (): InvalidFile[] => [...newlyInvalid.values()],
    targets,
    changed: (): number => counts.created + counts.updated + counts.deleted,
    revalidated: (): number => revalidated,
    /** Layouts that changed, came or went. */
    layouts: (): number => layouts,
    invalid: () => ({
      invalid: [...invalid.values()],
      invalid_total: invalidTotal,
      invalid_new: newlyInvalid.size,
    }),
  };
}

export type SyncTally = ReturnType<typeof createSyncTally>;

export const SKIP_REASONS = {
  symlink: 'a symbolic link: links are not followed',
  not_a_regular_file: 'neither a file nor a folder',
  unreadable: 'it cannot be read: check its owner and mode',
  bad_name: 'its name cannot be used on every system',
  loose: 'not an entity: each entity has a folder of its own, such as Characters/ada/CH_ada.md',
} as const;

export const skippedOf = ({ skipped, skippedTotal }: ScanSummary) => ({
  skipped: skipped.map(({ path, reason }) => ({ path, reason: SKIP_REASONS[reason] })),
  skipped_total: skippedTotal,
});
