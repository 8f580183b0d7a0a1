import type { OperationKind, OperationRow, OperationStatus, StepRow } from './changesets.tables.ts';

export interface SkippedStep {
  entity_type: string | null;
  entity_id: string | null;
  path: string | null;
  reason: string;
}

/** `interrupted`: the operation stopped half-way; the next start, or the next operation, finishes it. */
export type ReportStatus = Exclude<OperationStatus, 'planning'> | 'interrupted';

export interface OperationReport {
  operation_id: string;
  kind: OperationKind;
  label: string;
  status: ReportStatus;
  /** Steps in the plan, and the number applied. */
  total: number;
  applied: number;
  /** The first hundred. */
  skipped: SkippedStep[];
  skipped_total: number;
  undoes: string | null;
  undone_by: string | null;
  reason: string | null;
  started_at: string;
  finished_at: string | null;
  created_by: string;
}

export const MOST_SKIPPED_SHOWN = 100;

export function reportOf(
  row: OperationRow,
  skipped: readonly Pick<StepRow, 'entity_type' | 'entity_id' | 'path' | 'reason'>[],
  isLive: boolean,
): OperationReport {
  const isOpen = row.finished_at === null;
  const status = row.status === 'planning' ? 'running' : row.status;
  return {
    operation_id: row.operation_id,
    kind: row.kind,
    label: row.label,
    status: isOpen && !isLive ? 'interrupted' : status,
    total: row.total,
    applied: row.applied,
    skipped: skipped.map(({ entity_type, entity_id, path, reason }) => ({
      entity_type,
      entity_id,
      path,
      reason: reason ?? '',
    })),
    skipped_total: row.skipped,
    undoes: row.undoes,
    undone_by: row.undone_by,
    reason: row.reason,
    started_at: row.started_at,
    finished_at: row.finished_at,
    created_by: row.created_by,
  };
}
