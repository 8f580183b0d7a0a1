import { isLayoutPath } from '../../content/layout/index.ts';
import { isConflictCopy } from '../../content/paths/index.ts';
import { RULE_SETTINGS_PATH, RULES_FOLDER, ruleKeyOfPath, ruleTypeOf } from '../../content/rules/index.ts';
import { isSkillPath } from '../../content/skills/index.ts';
import { templateTypeOfName } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { partsOf } from '../../kit/parts.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import type { NoteConflictCopy } from '../conflict-records/index.ts';
import { definitionAt, type TemplateRegistry, type TemplateSet } from '../definitions/index.ts';
import type { ImportOutcome, ReferenceChecks } from '../entities/index.ts';
import {
  countTenantEntities,
  type EntityRow,
  type FileRow,
  findFiles,
  findOrphans,
  type Project,
  type RecordsDb,
  readProblem,
  recordOf,
} from '../records/index.ts';
import { emptySummary, type Reread, type ScanSummary } from '../scan/index.ts';
import { type ImportItem, VERIFY_AGAIN } from '../texts/index.ts';
import type { FollowDeletions } from './deletions.ts';
import { importBatch, importCrossing } from './import-batch.ts';
import { leftPlaces } from './left-places.ts';
import { type HeldDeletions, SKIP_REASONS, type SyncTally } from './report.ts';
import type { ScannerSession } from './scanner-session.ts';

export interface RunParts {
  project: Project;
  templates: TemplateRegistry;
  session: ScannerSession;
  deletions: FollowDeletions;
  clock: Clock;
  log: Log;
  entitiesLimit(): number;
  noteConflictCopy: NoteConflictCopy;
  checks: ReferenceChecks;
  stored(): void;
}

export interface Progress {
  phase: 'comparing' | 'importing' | 'deleting' | 'rendering' | 'finishing';
  done: number;
  total: number | null;
}

export interface RunInput {
  under: readonly string[] | null;
  force: boolean;
  /** True if a full run also searches for entities whose file became another's in an earlier run. */
  findsOrphans: boolean;
  isHint: boolean;
  signal: AbortSignal;
  progress: Progress;
  tally: SyncTally;
}

export interface RunResult {
  summary: ScanSummary;
  held: HeldDeletions | null;
  rerendered: string[];
  overPlan: number;
}

interface Pass {
  summary: ScanSummary;
  stale: string[];
  orphans: EntityRow[];
  /** Changed files of templates, rules and skills: they are recorded only after the entities that depend on them. */
  definitions: ImportItem[];
  /** Copies beside entities' files that file-sync tools made. */
  copies: string[];
  seenSeq: number;
  /** True if the project had no file rows: everything was read with the templates in force. */
  isFirst: boolean;
  set: TemplateSet;
}

const STALE_ROUNDS = 3;
const CLOSED_AT_ONCE = 500;
/** Files of a long run between two calls of `stored`. */
const STORED_EVERY = 1_000;

/** Updates the database from the folder: imports changed files, follows deletions, renders entities with a new template. */
export async function runSync(parts: RunParts, input: RunInput): Promise<RunResult> {
  const { tally, progress } = input;
  const first = await pass(parts, input, input.under, { reread: 'none', rerender: false });
  await listKnownProblems(parts, first, tally);
  const again = await readStale(parts, input, first.stale);
  progress.phase = 'deleting';
  const followed = await parts.deletions.follow({
    vanished: first.summary.vanished,
    orphans: await withEarlierOrphans(parts, input, [...first.orphans, ...again]),
    recycledFolders: first.summary.recycled.map(({ folder }) => folder),
    seenSeq: first.seenSeq,
    rootEmpty: first.summary.rootEmpty,
    force: input.force,
    isHint: input.isHint,
  });
  tally.addDeleted(followed.deleted);
  if (!followed.held) tally.addLayoutsGone(first.summary.vanished.filter(isLayoutPath).length);
  await readStale(parts, input, followed.back);
  const rerendered = await followDefinitions(parts, input, first, followed.held !== null);
  progress.phase = 'finishing';
  await checkReferences(parts, input);
  for (const path of first.copies) await noteCopy(parts, path);
  return {
    summary: first.summary,
    held: followed.held,
    rerendered,
    overPlan: await entitiesOverPlan(parts),
  };
}

/** Files in the folder are imported whatever the plan allows; the report says how many are too many. */
async function entitiesOverPlan({ project, entitiesLimit }: RunParts): Promise<number> {
  const limit = entitiesLimit();
  if (limit < 0) return 0;
  const there = await project.database.read((db: RecordsDb) => countTenantEntities(db, project.tenantId));
  return Math.max(0, there - limit);
}

async function withEarlierOrphans(
  { project }: RunParts,
  { findsOrphans }: RunInput,
  orphans: readonly EntityRow[],
): Promise<readonly EntityRow[]> {
  if (!findsOrphans) return orphans;
  const known = new Set(orphans.map((row) => row.row_id));
  return [...orphans, ...(await findOrphans(project)).filter((row) => !known.has(row.row_id))];
}

/** A full sync also finds unchecked changes, including entities that were imported before their targets. */
async function checkReferences({ checks, project }: RunParts, { under, tally }: RunInput): Promise<void> {
  await checks.followAll(project, tally.targets);
  if (under === null) await checks.repair(project);
}

const copiesAmong = (items: readonly ImportItem[]): string[] =>
  items.flatMap(({ state, record: { path, entry_type } }) =>
    state === null && entry_type === 'markdown' && isConflictCopy(path) ? [path] : [],
  );

/** A failed copy is tried again when it, or its conflict, changes; it never stops a sync. */
async function noteCopy({ project, noteConflictCopy, log }: RunParts, path: string): Promise<void> {
  try {
    await noteConflictCopy(project, path);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    log.warn(`${path} cannot be taken in as the other side of a conflict: ${messageOf(error)}`);
  }
}

async function pass(
  parts: RunParts,
  { signal, progress, tally }: RunInput,
  under: readonly string[] | null,
  how: { reread: Reread; rerender: boolean },
): Promise<Pass> {
  const { project, session, templates, clock } = parts;
  const present = await templates.upToDate(project);
  const { seenSeq, isEmpty } = await session.prepare(present, under);
  // A first read uses the templates of this scan, or everything would be read twice.
  const set = isEmpty ? (await templates.reload(project)).set : present;
  session.useTemplates(set);
  const result: Pass = {
    summary: emptySummary(),
    stale: [],
    orphans: [],
    definitions: [],
    copies: [],
    seenSeq,
    isFirst: isEmpty,
    set,
  };
  let gone: ReadonlySet<string> = new Set();
  const crossing: ImportItem[] = [];
  const take = (outcome: ImportOutcome) => {
    crossing.push(...outcome.crossing);
    // Files that are read again are already counted as unchanged.
    tally.addOutcome(how.reread === 'none' ? outcome : { ...outcome, unchanged: 0 });
    result.stale.push(...outcome.stale);
    result.orphans.push(...outcome.orphans);
  };
  const refused = (item: ImportItem, error: unknown) => {
    const { path } = item.record;
    parts.log.error(`${path} cannot be stored: ${messageOf(error)}`);
    const why = error instanceof HttpError ? error.message : 'the database refuses it, and the log says why';
    tally.addInvalid({ path, line: 1, column: 1, reason: `it cannot be stored: ${why}` });
  };
  const listener = { done: take, refused };
  const options = () => ({
    now: () => isoTime(clock.now()),
    source: isEmpty ? ('import' as const) : ('file' as const),
    seenSeq,
    rerender: how.rerender,
    resolvesIds: false,
    gone,
  });
  await session.scan(
    { under, reread: how.reread },
    {
      onWalked(summary) {
        result.summary = summary;
        gone = new Set(summary.vanished);
        progress.total = summary.changed;
      },
      async onItems(items) {
        signal.throwIfAborted();
        progress.phase = how.rerender ? 'rendering' : 'importing';
        result.definitions.push(...items.filter(isDefinition));
        result.copies.push(...copiesAmong(items));
        await importBatch(
          project,
          items.filter((item) => !isDefinition(item)),
          options(),
          listener,
        );
        const before = progress.done;
        progress.done += items.length;
        if (Math.floor(before / STORED_EVERY) < Math.floor(progress.done / STORED_EVERY)) parts.stored();
      },
    },
  );
  const crossed = crossing.splice(0);
  gone = new Set([...gone, ...(await leftPlaces(project, crossed))]);
  if (crossed.length > 0) await importCrossing(project, crossed, options(), listener);
  await importBatch(project, await closedFiles(project, result.summary), options(), listener);
  if (how.reread === 'none') tally.counts.unchanged += result.summary.unchanged;
  return result;
}

/** Files of known entities that the system does not let us open. */
async function closedFiles(project: Project, { unreadable }: ScanSummary): Promise<ImportItem[]> {
  const rows: FileRow[] = [];
  for (const paths of partsOf(unreadable, CLOSED_AT_ONCE)) {
    const found = await project.database.read((db: RecordsDb) => findFiles(db, project, paths));
    rows.push(...found.values());
  }
  const problem = JSON.stringify({ reason: SKIP_REASONS.unreadable, line: 1, column: 1 });
  return rows.flatMap((row) =>
    row.deleted_at === null && row.entry_type === 'markdown' && row.entity_id !== null
      ? { record: { ...recordOf(row), ctimeMs: VERIFY_AGAIN, problem }, state: null }
      : [],
  );
}

/** Reads files again that changed while they were read. Files that keep changing wait for the next event or sweep. */
async function readStale(parts: RunParts, input: RunInput, stale: readonly string[]): Promise<EntityRow[]> {
  const orphans: EntityRow[] = [];
  let left = stale;
  for (let round = 0; round < STALE_ROUNDS && left.length > 0; round += 1) {
    const next = await pass(parts, input, left, { reread: 'all', rerender: false });
    orphans.push(...next.orphans);
    left = next.stale;
  }
  return orphans;
}

async function listKnownProblems({ project }: RunParts, { summary }: Pass, tally: SyncTally): Promise<void> {
  if (summary.problems.length === 0) return;
  const rows = await project.database.read((db: RecordsDb) => findFiles(db, project, summary.problems));
  const files = [...rows.values()].flatMap(({ path, problem }) => {
    if (problem === null) return [];
    const { line, column, reason } = readProblem(problem);
    return [{ path, line, column, reason }];
  });
  tally.addKnownInvalid(files, summary.problemsTotal);
}

const isDefinition = ({ record }: ImportItem): boolean =>
  record.entry_type === 'template' || record.entry_type === 'rule' || isSkillPath(record.path);

const isDefinitionPath = (path: string): boolean =>
  path.startsWith('_Templates/') || path.startsWith(`${RULES_FOLDER}/`) || isSkillPath(path);

function typesOfPath(path: string, set: TemplateSet): string[] {
  if (isSkillPath(path)) return [];
  if (!path.startsWith(`${RULES_FOLDER}/`)) {
    return [templateTypeOfName(path.slice(path.lastIndexOf('/') + 1))];
  }
  const key = ruleKeyOfPath(path);
  if (key === null && path !== RULE_SETTINGS_PATH) return [];
  const type = key === null ? null : ruleTypeOf(key);
  return type === null ? [...set.types.keys()] : [type];
}

/** Renders the entities of changed templates or rules again; their files stay as they are. Resolves to the types. */
async function followDefinitions(
  parts: RunParts,
  input: RunInput,
  first: Pass,
  isHeld: boolean,
): Promise<string[]> {
  const { project, templates, clock } = parts;
  const vanished = isHeld ? [] : first.summary.vanished.filter(isDefinitionPath);
  if (first.definitions.length + vanished.length === 0) return [];
  const before = first.set;
  const { set } = await templates.reload(project);
  const readWithIt = ({ record }: ImportItem) =>
    first.isFirst && definitionAt(before, record.path)?.checksum === `sha256:${record.sha256}`;
  const paths = [
    ...first.definitions.filter((item) => !readWithIt(item)).map((item) => item.record.path),
    ...vanished,
  ];
  const named = new Set(paths.flatMap((path) => typesOfPath(path, set)));
  const types = [...set.types].filter(
    ([type, definition]) => named.has(type) || before.types.get(type) !== definition,
  );
  const folders = types.map(([, definition]) => definition.folder_name);
  if (folders.length > 0) {
    // In a new folder the template decides what each file is, so everything is read again; elsewhere only entities are.
    const isNew = types.some(
      ([type, definition]) => before.types.get(type)?.folder_name !== definition.folder_name,
    );
    const rendered = await pass(parts, input, folders, {
      reread: isNew ? 'all' : 'entities',
      rerender: true,
    });
    await readStale(parts, input, rendered.stale);
  }
  await importBatch(
    project,
    first.definitions,
    {
      now: () => isoTime(clock.now()),
      source: 'file',
      seenSeq: first.seenSeq,
      rerender: false,
      resolvesIds: false,
      gone: new Set(),
    },
    { done: () => {}, refused: (item, reason) => parts.log.error(`${item.record.path}: ${reason}`) },
  );
  return types.map(([type]) => type);
}
