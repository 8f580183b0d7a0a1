import { templateTypeOfName } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { ImportItem, ImportOutcome } from '../entities/import.service.ts';
import { findFiles } from '../records/files.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import type { TemplateSet } from '../templates/template-set.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import type { FollowDeletions } from './deletions.ts';
import { importBatch } from './import-batch.ts';
import type { Brake, Tally } from './report.ts';
import type { ScanSummary } from './scan/protocol.ts';
import { emptySummary } from './scan/walk.ts';
import type { ScannerSession, StoredProblem } from './scanner-session.ts';

export interface RunParts {
  project: Project;
  templates: TemplateRegistry;
  session: ScannerSession;
  deletions: FollowDeletions;
  clock: Clock;
  log: Log;
  entitiesLimit(): number;
}

export interface Progress {
  phase: 'comparing' | 'importing' | 'deleting' | 'rendering' | 'finishing';
  done: number;
  /** How many files are to be read, where that is known. */
  total: number | null;
}

export interface RunInput {
  /** Null for everything. */
  under: readonly string[] | null;
  force: boolean;
  isHint: boolean;
  signal: AbortSignal;
  progress: Progress;
  tally: Tally;
}

export interface RunResult {
  summary: ScanSummary;
  brake: Brake | null;
  rerendered: string[];
}

interface Pass {
  summary: ScanSummary;
  stale: string[];
  orphans: EntityRow[];
  /** Changed files of templates: noted only when what follows from them is done. */
  templates: ImportItem[];
  seenSeq: number;
  /** Nothing was known before: everything was read with the templates in force. */
  isFirst: boolean;
  set: TemplateSet;
}

const STALE_ROUNDS = 3;

/** Brings the database up to the folder: reads what changed, follows what is gone, renders what has a new template. */
export async function runSync(parts: RunParts, input: RunInput): Promise<RunResult> {
  const { tally, progress } = input;
  const first = await pass(parts, input, input.under, { reread: false, rerender: false });
  await listKnownProblems(parts, first, tally);
  const again = await readStale(parts, input, first.stale);
  progress.phase = 'deleting';
  const followed = await parts.deletions.follow({
    vanished: first.summary.vanished,
    orphans: [...first.orphans, ...again],
    recycledFolders: first.summary.recycled.map(({ folder }) => folder),
    seenSeq: first.seenSeq,
    rootEmpty: first.summary.rootEmpty,
    force: input.force,
    isHint: input.isHint,
  });
  tally.counts.deleted += followed.deleted;
  tally.changes.push(...followed.changes);
  await readStale(parts, input, followed.back);
  const rerendered = await followTemplates(parts, input, first, followed.brake !== null);
  progress.phase = 'finishing';
  return { summary: first.summary, brake: followed.brake, rerendered };
}

async function pass(
  parts: RunParts,
  { signal, progress, tally }: RunInput,
  under: readonly string[] | null,
  how: { reread: boolean; rerender: boolean },
): Promise<Pass> {
  const { project, session, clock } = parts;
  const set = await parts.templates.of(project);
  const { seenSeq, isEmpty } = await session.prepare(set);
  const result: Pass = {
    summary: emptySummary(),
    stale: [],
    orphans: [],
    templates: [],
    seenSeq,
    isFirst: isEmpty,
    set,
  };
  let gone: ReadonlySet<string> = new Set();
  const take = (outcome: ImportOutcome) => {
    // What is read again was counted as unchanged already.
    tally.addOutcome(how.reread ? { ...outcome, unchanged: 0 } : outcome);
    result.stale.push(...outcome.stale);
    result.orphans.push(...outcome.orphans);
  };
  const refused = (item: ImportItem, reason: string) => {
    const { path } = item.record;
    parts.log.error(`${path} cannot be stored: ${reason}`);
    tally.addInvalid({ path, line: 1, column: 1, reason: `it cannot be stored: ${reason}` });
  };
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
        const isTemplate = (item: ImportItem) => item.record.entry_type === 'template';
        result.templates.push(...items.filter(isTemplate));
        await importBatch(
          project,
          items.filter((item) => !isTemplate(item)),
          {
            now: () => isoTime(clock.now()),
            source: isEmpty ? 'import' : 'file',
            seenSeq,
            entitiesLimit: parts.entitiesLimit(),
            rerender: how.rerender,
            gone,
          },
          { done: take, refused },
        );
        progress.done += items.length;
      },
    },
  );
  if (!how.reread) tally.counts.unchanged += result.summary.unchanged;
  return result;
}

/** Files that somebody changed while they were read. What stays in motion is left to the next event or sweep. */
async function readStale(parts: RunParts, input: RunInput, stale: readonly string[]): Promise<EntityRow[]> {
  const orphans: EntityRow[] = [];
  let left = stale;
  for (let round = 0; round < STALE_ROUNDS && left.length > 0; round += 1) {
    const next = await pass(parts, input, left, { reread: true, rerender: false });
    orphans.push(...next.orphans);
    left = next.stale;
  }
  return orphans;
}

async function listKnownProblems({ project }: RunParts, { summary }: Pass, tally: Tally): Promise<void> {
  if (summary.problems.length === 0) return;
  const rows = await project.database.read((db: RecordsDb) => findFiles(db, project, summary.problems));
  const files = [...rows.values()].flatMap(({ path, problem }) => {
    if (problem === null) return [];
    const { line, column, reason } = JSON.parse(problem) as StoredProblem;
    return [{ path, line, column, reason }];
  });
  tally.addKnownInvalid(files, summary.problemsTotal);
}

const typeOfPath = (path: string): string => templateTypeOfName(path.slice(path.lastIndexOf('/') + 1));
const isTemplatePath = (path: string): boolean => path.startsWith('_Templates/');

/** Renders entities anew whose template changed; their files stay as they are. Resolves to the types. */
async function followTemplates(
  parts: RunParts,
  input: RunInput,
  first: Pass,
  braked: boolean,
): Promise<string[]> {
  const { project, templates, clock } = parts;
  const vanished = braked ? [] : first.summary.vanished.filter(isTemplatePath);
  if (first.templates.length + vanished.length === 0) return [];
  const before = first.set;
  const { set } = await templates.reload(project);
  const readWithIt = ({ record }: ImportItem) =>
    first.isFirst && before.files.get(record.path)?.checksum === `sha256:${record.sha256}`;
  const paths = [
    ...first.templates.filter((item) => !readWithIt(item)).map((item) => item.record.path),
    ...vanished,
  ];
  const named = new Set(paths.map(typeOfPath));
  const types = [...set.types].filter(
    ([type, definition]) => named.has(type) || before.types.get(type) !== definition,
  );
  const folders = types.map(([, definition]) => definition.folder_name);
  if (folders.length > 0) {
    const rendered = await pass(parts, input, folders, { reread: true, rerender: true });
    await readStale(parts, input, rendered.stale);
  }
  await importBatch(
    project,
    first.templates,
    {
      now: () => isoTime(clock.now()),
      source: 'file',
      seenSeq: first.seenSeq,
      entitiesLimit: -1,
      rerender: false,
      gone: new Set(),
    },
    { done: () => {}, refused: (item, reason) => parts.log.error(`${item.record.path}: ${reason}`) },
  );
  return types.map(([type]) => type);
}
