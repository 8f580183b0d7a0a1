import type { FileScanner } from '../../platform/files/files.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { answerQuestions, findFiles, type Project, type RecordsDb } from '../records/index.ts';
import { readContent } from '../scan/index.ts';
import type { ImportItem } from '../texts/index.ts';
import { compareFile } from './compare-file.ts';
import { findProject, findStoredEntities, type StoredEntity } from './doctor.store.ts';
import { examineRows, type SeenFiles } from './examine-rows.ts';
import { examineTemplates } from './examine-templates.ts';
import { type DoctorFinding, finding } from './finding.ts';

/** Receives the number of files read so far; reading waits for it, so that it can stop the work by throwing. */
export type OnProgress = (files: number) => Promise<void>;

export interface Subject {
  project: Omit<Project, 'number'>;
  scanner: FileScanner;
  /** The templates in their present files. */
  set: TemplateSet;
}

/** Checks every invariant between a content folder and its rows. Changes nothing. */
export async function examineProject(subject: Subject, onProgress: OnProgress): Promise<DoctorFinding[]> {
  const { database } = subject.project;
  const row = await database.read((db: RecordsDb) => findProject(db, subject.project));
  if (row === undefined) {
    const repair = { kind: 'sync' } as const;
    return [finding('project', 'the database does not know the project yet', 'run canonry sync', { repair })];
  }
  const project: Project = { ...subject.project, number: row.number };
  const { findings, seen } = await compareFiles(project, subject, onProgress);
  return [
    ...heldDeletionFindings(row.brake),
    ...(await examineTemplates(project, subject.set)),
    ...findings,
    ...(await examineRows(project, subject.set, seen)),
  ];
}

function heldDeletionFindings(held: string | null): DoctorFinding[] {
  if (held === null) return [];
  const { reason } = JSON.parse(held) as { reason: string };
  const advice = 'bring the files back, or confirm with canonry sync --force';
  return [finding('confirmation', `a sync waits for a confirmation: ${reason}`, advice)];
}

async function compareFiles(
  project: Project,
  { scanner, set }: Subject,
  onProgress: OnProgress,
): Promise<{ findings: DoctorFinding[]; seen: SeenFiles }> {
  const findings: DoctorFinding[] = [];
  const paths = new Set<string>();
  const reading = readContent({ scanner, set, largestText: project.largestText, under: null });
  let step = reading.next();
  for (; !step.done; step = reading.next()) {
    for (const { record } of step.value) paths.add(record.path);
    findings.push(...(await compareBatch(project, set, step.value)));
    await onProgress(paths.size);
  }
  const skipped = step.value?.skipped ?? [];
  const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
  for (const path of unreadable) {
    const advice = 'check its owner and mode; until then what is known of it stays';
    findings.push(finding('skipped_file', 'it cannot be read', advice, { path }));
  }
  const recycled = (step.value?.recycled ?? []).map(({ folder }) => folder);
  return { findings, seen: { paths, unreadable, recycled } };
}

async function compareBatch(
  project: Project,
  set: TemplateSet,
  given: readonly ImportItem[],
): Promise<DoctorFinding[]> {
  const items = await withAnswers(project, given);
  const entities = await storedEntities(project, items);
  const files = await project.database.read((db: RecordsDb) =>
    findFiles(
      db,
      project,
      items.map((item) => item.record.path),
    ),
  );
  return items.flatMap((item) => {
    const { state, record } = item;
    const file = files.get(record.path);
    // Without its template an entity's file looks like a note; its type gets one finding instead.
    if (file?.entity_type && !set.types.has(file.entity_type)) return [];
    const entity = state ? entities.get(`${state.entity_type}/${state.entity_id}`) : undefined;
    return compareFile({ item, file, entity });
  });
}

/** The items as they would be stored: the rows answer the questions of rules about other entities. */
async function withAnswers(project: Project, items: readonly ImportItem[]): Promise<ImportItem[]> {
  const states = await project.database.read((db: RecordsDb) =>
    answerQuestions(
      db,
      project,
      items.flatMap(({ state }) => state ?? []),
    ),
  );
  const byPath = new Map(states.map((state) => [state.path, state]));
  return items.map((item) => ({ ...item, state: item.state && (byPath.get(item.state.path) ?? item.state) }));
}

async function storedEntities(
  project: Project,
  items: readonly ImportItem[],
): Promise<Map<string, StoredEntity>> {
  const wanted = new Map<string, string[]>();
  for (const { state } of items) {
    if (state) wanted.set(state.entity_type, [...(wanted.get(state.entity_type) ?? []), state.entity_id]);
  }
  const found = new Map<string, StoredEntity>();
  for (const [type, ids] of wanted) {
    const rows = await project.database.read((db: RecordsDb) => findStoredEntities(db, project, type, ids));
    for (const row of rows) found.set(`${type}/${row.entity_id}`, row);
  }
  return found;
}
