import type { FileScanner } from '../../platform/files/files.ts';
import { answerQuestions, findFiles, type Project, type RecordsDb } from '../records/index.ts';
import type { TemplateSet } from '../templates/index.ts';
import type { ImportItem } from '../texts/index.ts';
import { compareFile } from './compare-file.ts';
import { findProject, findStoredEntities, type StoredEntity } from './doctor.store.ts';
import { examineRows, type SeenFiles } from './examine-rows.ts';
import { examineTemplates } from './examine-templates.ts';
import { type Finding, finding } from './finding.ts';
import { readContent } from './read-content.ts';
import type { OnProgress } from './validate.ts';

export interface Subject {
  /** The project's rows and folder. */
  project: Omit<Project, 'number'>;
  scanner: FileScanner;
  /** The templates as their files say now. */
  set: TemplateSet;
}

/** Every invariant between a content folder and its rows. Changes nothing. */
export async function examineProject(subject: Subject, onProgress: OnProgress): Promise<Finding[]> {
  const { database } = subject.project;
  const row = await database.read((db: RecordsDb) => findProject(db, subject.project));
  if (row === undefined) {
    const repair = { kind: 'sync' } as const;
    return [finding('project', 'the database does not know the project yet', 'run canonry sync', { repair })];
  }
  const project: Project = { ...subject.project, number: row.number };
  const { findings, seen } = await compareFiles(project, subject, onProgress);
  return [
    ...brakeFindings(row.brake),
    ...(await examineTemplates(project, subject.set)),
    ...findings,
    ...(await examineRows(project, subject.set, seen)),
  ];
}

function brakeFindings(brake: string | null): Finding[] {
  if (brake === null) return [];
  const { reason } = JSON.parse(brake) as { reason: string };
  const advice = 'bring the files back, or confirm with canonry sync --force';
  return [finding('confirmation', `a sync waits for a confirmation: ${reason}`, advice)];
}

async function compareFiles(
  project: Project,
  { scanner, set }: Subject,
  onProgress: OnProgress,
): Promise<{ findings: Finding[]; seen: SeenFiles }> {
  const findings: Finding[] = [];
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
): Promise<Finding[]> {
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
    // Without its template a file cannot be told from a note: its type is told of as a whole.
    if (file?.entity_type && !set.types.has(file.entity_type)) return [];
    const entity = state ? entities.get(`${state.entity_type}/${state.entity_id}`) : undefined;
    return compareFile({ item, file, entity });
  });
}

/** The items as they would be stored: what their rules ask about other entities is answered by the rows. */
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
