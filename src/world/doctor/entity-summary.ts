import { type EntityRow, TEMPLATE_ROW_TYPE } from '../records/index.ts';
import { type DoctorFinding, finding } from './finding.ts';

/** The columns for checks over all entities. */
export type EntitySummary = Pick<
  EntityRow,
  'row_id' | 'entity_type' | 'entity_id' | 'path' | 'version' | 'file_checksum' | 'status'
>;

export interface RevisionTotal {
  total: number;
  first: number;
  last: number;
}

/** Returns a finding if a history does not have every former version exactly once. */
export function revisionFinding(
  { path, entity_type, entity_id, version }: EntitySummary,
  total: RevisionTotal = { total: 0, first: 1, last: version - 1 },
): DoctorFinding | undefined {
  // Limits of the history may have removed the oldest versions.
  if (total.total === version - total.first && total.last < version) return undefined;
  const message =
    total.last >= version
      ? `the history of ${entity_type} '${entity_id}' reaches version ${total.last}, but it is at ${version}`
      : `the history of ${entity_type} '${entity_id}' has ${total.total} of its ${version - 1} earlier versions`;
  const advice = 'nothing that is there is lost; what is missing may be in a backup of the database';
  return finding('revisions', message, advice, { path, severity: 'warning' });
}

/** Counts live entities by type and status, without templates. */
export function countEntities(entities: readonly EntitySummary[]) {
  const counts = new Map<string, { entity_type: string; status: string; total: number }>();
  for (const { entity_type, status } of entities) {
    if (entity_type === TEMPLATE_ROW_TYPE) continue;
    const key = `${entity_type}\n${status}`;
    const count = counts.get(key) ?? { entity_type, status, total: 0 };
    count.total += 1;
    counts.set(key, count);
  }
  return [...counts.values()];
}
