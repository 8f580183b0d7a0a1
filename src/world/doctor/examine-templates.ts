import { definitionProblems, fingerprint, fingerprints, type TemplateSet } from '../definitions/index.ts';
import { type Project, type RecordsDb, TEMPLATE_ROW_TYPE } from '../records/index.ts';
import { findRowsOfType } from './doctor.store.ts';
import { type DoctorFinding, FIX, finding } from './finding.ts';

/** Finds faults of templates and rules, and rows that differ from them. */
export async function examineTemplates(project: Project, set: TemplateSet): Promise<DoctorFinding[]> {
  const rows = await project.database.read((db: RecordsDb) => findRowsOfType(db, project, TEMPLATE_ROW_TYPE));
  const mirrored = new Map(rows.map((row) => [row.entity_id, fingerprint(row.path, row.file_checksum)]));
  const inForce = fingerprints(set);
  const broken = new Set(set.problems.map(({ path }) => path));
  const stale = [...inForce].filter(([type, print]) => mirrored.get(type) !== print).map(([type]) => type);
  // A template that is broken now stays in force and in its row as it was before.
  const left = rows.filter((row) => !inForce.has(row.entity_id) && !broken.has(row.path));
  return [
    ...definitionProblems(set).map(({ path, line, column, severity, reason }) =>
      finding('templates', reason, 'fix the file', { path, line, column, severity }),
    ),
    ...stale.map((type) => notMirrored(`the row of the template of '${type}' is not its file's`)),
    ...left.map(({ entity_id }) =>
      notMirrored(`there is a row for the template of '${entity_id}', which is gone`),
    ),
  ];
}

const notMirrored = (message: string): DoctorFinding =>
  finding('templates', message, FIX, { repair: { kind: 'templates' } });
