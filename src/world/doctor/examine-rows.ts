import type { TemplateSet } from '../definitions/index.ts';
import { type Project, pages, type RecordsDb, rowIdOf, TEMPLATE_ROW_TYPE } from '../records/index.ts';
import {
  keptCounts,
  orphanDocuments,
  pageOfEntities,
  pageOfLiveFiles,
  recycledItems,
  revisionTotals,
} from './doctor.store.ts';
import { countEntities, type EntitySummary, revisionFinding } from './entity-summary.ts';
import { type DoctorFinding, FIX, finding } from './finding.ts';

export interface SeenFiles {
  /** All files outside the recycle bin. */
  paths: ReadonlySet<string>;
  /** Folders that could not be listed, so that their content is unknown. */
  unreadable: readonly string[];
  /** Folders in the recycle bin with a markdown file in them. */
  recycled: readonly string[];
}

const read = <Result>(project: Project, work: (db: RecordsDb) => Promise<Result>): Promise<Result> =>
  project.database.read(work);

/** Finds rows that differ from the folder or contradict each other. */
export async function examineRows(
  project: Project,
  set: TemplateSet,
  seen: SeenFiles,
): Promise<DoctorFinding[]> {
  const entities: EntitySummary[] = [];
  const readPage = (after: number, limit: number) =>
    read(project, (db) => pageOfEntities(db, project, after, limit));
  for await (const rows of pages(0, readPage, (row) => row.row_id)) entities.push(...rows);
  return [
    ...(await vanishedFiles(project, seen)),
    ...vanishedEntities(entities, seen),
    ...withoutTemplate(entities, set),
    ...(await checkRevisions(project, entities)),
    ...(await checkDocuments(project)),
    ...(await checkSearch(project, entities)),
    ...(await checkCounts(project, entities)),
    ...(await checkRecycleBin(project, seen)),
  ];
}

const isUnknown = ({ unreadable }: SeenFiles, path: string): boolean =>
  unreadable.some((folder) => path === folder || path.startsWith(`${folder}/`));

async function vanishedFiles(project: Project, seen: SeenFiles): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const readPage = (after: string, limit: number) =>
    read(project, (db) => pageOfLiveFiles(db, project, after, limit));
  for await (const rows of pages('', readPage, (row) => row.path)) {
    for (const { path } of rows) {
      if (seen.paths.has(path) || isUnknown(seen, path)) continue;
      findings.push(
        finding('file_row', 'the file is gone, and the database has not followed yet', FIX, {
          path,
          repair: { kind: 'sync' },
        }),
      );
    }
  }
  return findings;
}

function vanishedEntities(entities: readonly EntitySummary[], seen: SeenFiles): DoctorFinding[] {
  return entities
    .filter(({ path }) => !seen.paths.has(path) && !isUnknown(seen, path))
    .map(({ path, entity_type, entity_id, row_id }) =>
      finding('entity_row', `${entity_type} '${entity_id}' has a row, but its file is gone`, FIX, {
        path,
        repair: { kind: 'recycle', entityType: entity_type, entityId: entity_id, rowId: row_id },
      }),
    );
}

function withoutTemplate(entities: readonly EntitySummary[], { types }: TemplateSet): DoctorFinding[] {
  const lost = entities.filter(({ entity_type: type }) => type !== TEMPLATE_ROW_TYPE && !types.has(type));
  const totals = Map.groupBy(lost, ({ entity_type }) => entity_type);
  return [...totals].map(([type, { length }]) =>
    finding(
      'templates',
      `no template can be read for the type '${type}'; its entities (${length}) are kept as they are`,
      'restore or fix the template, or delete that type’s folder',
    ),
  );
}

async function checkRevisions(
  project: Project,
  entities: readonly EntitySummary[],
): Promise<DoctorFinding[]> {
  const totals = await read(project, (db) => revisionTotals(db, project));
  const byRow = new Map(totals.map((total) => [total.row_id, total]));
  return entities.flatMap((entity) => revisionFinding(entity, byRow.get(entity.row_id)) ?? []);
}

async function checkDocuments(project: Project): Promise<DoctorFinding[]> {
  const rowIds = await read(project, (db) => orphanDocuments(db, project));
  if (rowIds.length === 0) return [];
  const message = `${rowIds.length} stored replies belong to no entity`;
  return [finding('document', message, FIX, { repair: { kind: 'forget_documents', rowIds } })];
}

async function checkSearch(project: Project, entities: readonly EntitySummary[]): Promise<DoctorFinding[]> {
  const { dialect } = project.database;
  const end = rowIdOf(project.number + 1, 0);
  const indexed = new Set<number>();
  const readPage = (after: number, limit: number) =>
    read(project, (db) => dialect.fullText.list(db, after, limit));
  for await (const ids of pages(rowIdOf(project.number, 0) - 1, readPage, (id) => id)) {
    for (const id of ids) if (id < end) indexed.add(id);
  }
  const missing = entities.filter(({ row_id }) => !indexed.has(row_id));
  const known = new Set(entities.map(({ row_id }) => row_id));
  const extra = [...indexed].filter((id) => !known.has(id));
  const findings = missing.map(({ path, entity_type, entity_id }) =>
    finding('search', `the search index lacks ${entity_type} '${entity_id}'`, FIX, {
      path,
      repair: { kind: 'reread', path },
    }),
  );
  if (extra.length > 0) {
    const message = `the search index has ${extra.length} entries that belong to no entity`;
    findings.push(finding('search', message, FIX, { repair: { kind: 'unindex', rowIds: extra } }));
  }
  return findings;
}

async function checkCounts(project: Project, entities: readonly EntitySummary[]): Promise<DoctorFinding[]> {
  const actual = countEntities(entities);
  const kept = await read(project, (db) => keptCounts(db, project));
  const keyOf = (count: { entity_type: string; status: string }) => `${count.entity_type} (${count.status})`;
  const keptBy = new Map(kept.map((count) => [keyOf(count), count.total]));
  const actualBy = new Map(actual.map((count) => [keyOf(count), count.total]));
  return [...new Set([...keptBy.keys(), ...actualBy.keys()])]
    .filter((key) => (keptBy.get(key) ?? 0) !== (actualBy.get(key) ?? 0))
    .map((key) =>
      finding(
        'counts',
        `${key}: ${keptBy.get(key) ?? 0} are counted, ${actualBy.get(key) ?? 0} are there`,
        FIX,
        {
          repair: { kind: 'recount' },
        },
      ),
    );
}

async function checkRecycleBin(project: Project, seen: SeenFiles): Promise<DoctorFinding[]> {
  const items = await read(project, (db) => recycledItems(db, project));
  const folders = new Set(items.map((item) => item.folder));
  const findings = seen.recycled
    .filter((folder) => !folders.has(folder))
    .map((folder) =>
      finding(
        'recycle_bin',
        'the folder lies in the recycle bin without an item',
        `${FIX}, which lists it again once the file in it can be read`,
        {
          path: folder,
          severity: 'warning',
          repair: { kind: 'sync' },
        },
      ),
    );
  for (const { item_id, entity_type, entity_id, folder } of items) {
    if (folder === null || (await isThere(project, folder)) || isUnknown(seen, folder)) continue;
    const message = `${entity_type} '${entity_id}' can be restored without its assets: its folder in the recycle bin is gone`;
    findings.push(
      finding('recycle_bin', message, `put the folder back, or ${FIX} to keep the text alone`, {
        path: folder,
        severity: 'warning',
        repair: { kind: 'forget_folder', itemId: item_id },
      }),
    );
  }
  return findings;
}

const isThere = (project: Project, folder: string): Promise<boolean> =>
  project.files.list(folder).then(
    () => true,
    () => false,
  );
