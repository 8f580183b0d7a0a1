import { classifyPath, isAsideName, type TypeFolders } from '../../content/paths/index.ts';
import { type FileScanner, type FileStat, FilesError, type ScanBatch } from '../../platform/files/files.ts';
import { RECYCLE_ROOT } from '../texts/index.ts';
import { type Candidate, pickMainFile } from './main-file.ts';
import { MOST_WAITING, ROW, type ScanRequest, type ScanSummary } from './protocol.ts';
import type { Pending } from './read-item.ts';
import type { Comparison, Replica } from './replica.ts';
import { isBelow, rootsOf } from './scope.ts';

export interface ScanProject {
  scanner: Pick<FileScanner, 'scan' | 'readSync'>;
  replica: Replica;
  folders: TypeFolders;
  largestText: number;
  now(): number;
}

/** Most unreadable files that are reported with their entities. */
const MOST_UNREADABLE = 10_000;
/** Most entries in a list of problems; their total is reported besides. */
const MOST_LISTED = 200;
/** File systems stamp changes with the time of the last tick, which may be this old (milliseconds). */
const RACY_MS = 50;

export const isMarkdown = (path: string): boolean => path.slice(-3).toLowerCase() === '.md';

const topOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));

export const emptySummary = (): ScanSummary => ({
  files: 0,
  changed: 0,
  unchanged: 0,
  vanished: [],
  skipped: [],
  skippedTotal: 0,
  unreadable: [],
  problems: [],
  problemsTotal: 0,
  unknownFolders: [],
  recycled: [],
  rootEmpty: false,
});

/** Compares the folder with the replica: yields files to read, in groups by part of the walk, and fills the summary. */
export function createWalk(project: ScanProject, request: ScanRequest, walk: number) {
  const { scanner, replica, folders, largestText } = project;
  const summary = emptySummary();
  const unknown = new Set<string>();
  const recycled = new Map<string, string>();
  const unreadable: string[] = [];
  const roots = request.under === null ? null : rootsOf(request.under, folders);

  function skip(entry: ScanSummary['skipped'][number]): void {
    summary.skippedTotal += 1;
    if (summary.skipped.length < MOST_LISTED) summary.skipped.push(entry);
    if (entry.reason !== 'unreadable') return;
    unreadable.push(entry.path);
    if (summary.unreadable.length < MOST_UNREADABLE) summary.unreadable.push(entry.path);
  }

  function noteRecycled(path: string): void {
    const parts = path.split('/');
    if (parts.length !== 4 || !isMarkdown(path)) return;
    const folder = parts.slice(0, 3).join('/');
    const known = recycled.get(folder);
    if (known === undefined || path < known) recycled.set(folder, path);
  }

  function noteUnchanged(path: string, comparison: Comparison): void {
    if (comparison.flags & ROW.main && !(comparison.flags & ROW.problem)) summary.unchanged += 1;
    if (!(comparison.flags & ROW.problem)) return;
    summary.problemsTotal += 1;
    if (summary.problems.length < MOST_LISTED) summary.problems.push(path);
  }

  const mustRead = ({ same, flags }: Comparison): boolean =>
    !same || request.reread === 'all' || (flags & ROW.retry) !== 0;

  function pendingOf(stat: FileStat, startedAt: number, template: Pending['template']): Pending {
    return {
      stat,
      template,
      place: classifyPath(stat.path, folders),
      racy: stat.ctimeMs > startedAt - RACY_MS,
    };
  }

  function settle(folder: string, candidates: Candidate[], startedAt: number, pending: Pending[]): void {
    const template = folders.get(folder.slice(0, folder.indexOf('/')));
    if (template === undefined) return;
    const main = pickMainFile({ scanner, largestText }, template, folder, candidates);
    for (const candidate of candidates) {
      const { stat, comparison } = candidate;
      const isMain = candidate === main;
      const changesRole =
        isMain !== ((comparison.flags & ROW.main) !== 0) && !(comparison.flags & ROW.problem);
      if (mustRead(comparison) || request.reread === 'entities' || changesRole)
        pending.push(pendingOf(stat, startedAt, isMain ? template : null));
      else noteUnchanged(stat.path, comparison);
    }
  }

  function visit(batch: ScanBatch, startedAt: number): Pending[] {
    const pending: Pending[] = [];
    const entities = new Map<string, Candidate[]>();
    for (const entry of batch.skipped) skip(entry);
    for (const stat of batch.files) {
      const { path } = stat;
      const first = path.indexOf('/');
      const top = topOf(path);
      if (top === RECYCLE_ROOT) {
        noteRecycled(path);
        continue;
      }
      summary.files += 1;
      const comparison = replica.compare(stat, walk);
      if (top !== '' && !folders.has(top)) {
        if (!top.startsWith('_')) unknown.add(top);
      } else if (top !== '' && isMarkdown(path)) {
        const second = path.indexOf('/', first + 1);
        if (second > 0 && path.indexOf('/', second + 1) < 0) {
          const folder = path.slice(0, second);
          const candidates = entities.get(folder);
          if (candidates) candidates.push({ stat, comparison });
          else entities.set(folder, [{ stat, comparison }]);
          continue;
        }
        if (second < 0 && !isAsideName(path.slice(first + 1))) skip({ path, reason: 'loose' });
      }
      if (mustRead(comparison)) pending.push(pendingOf(stat, startedAt, null));
      else noteUnchanged(path, comparison);
    }
    for (const [folder, candidates] of entities) settle(folder, candidates, startedAt, pending);
    summary.changed += pending.length;
    return pending;
  }

  function* below(root: string): Iterable<Pending[]> {
    let startedAt = project.now();
    try {
      for (const batch of scanner.scan({ under: root })) {
        yield visit(batch, startedAt);
        startedAt = project.now();
      }
    } catch (error) {
      if (!(error instanceof FilesError) || error.code === 'root_missing') throw error;
      skip({ path: root, reason: error.code === 'outside' ? 'symlink' : 'unreadable' });
    }
  }

  function listVanished(): string[] {
    const hidden = isBelow(unreadable);
    const inScope = roots === null ? () => true : isBelow(roots);
    return replica
      .unseen(walk)
      .filter((path) => inScope(path) && !hidden(path))
      .toArray();
  }

  /**
   * Folders of files that could not have their id because of another file, if the file of an entity of their type is
   * gone. Without them the entity would count as deleted until the next full walk although a file has its id, as when a
   * folder is copied and then deleted at the old place.
   */
  function waiting(vanished: readonly string[]): string[] {
    const freed = new Set(vanished.filter((path) => replica.flagsOf(path) & ROW.main).map(topOf));
    if (freed.size === 0) return [];
    const waits = (path: string) => (replica.flagsOf(path) & ROW.retry) !== 0 && freed.has(topOf(path));
    const paths = replica.unseen(walk).filter(waits).take(MOST_WAITING).toArray();
    return rootsOf(paths, folders) ?? [];
  }

  function finish(vanished: string[]): void {
    summary.vanished = vanished;
    if (vanished.length > 0) summary.rootEmpty = isEmpty(scanner);
    summary.unknownFolders = [...unknown].sort().slice(0, MOST_LISTED);
    summary.recycled = [...recycled].map(([folder, path]) => ({ folder, path }));
  }

  return {
    summary,
    skip,
    *run(): Iterable<Pending[]> {
      for (const root of roots ?? ['']) yield* below(root);
      const vanished = listVanished();
      if (roots !== null) for (const root of waiting(vanished)) yield* below(root);
      finish(vanished);
    },
  };
}

function isEmpty(scanner: Pick<FileScanner, 'scan'>): boolean {
  for (const batch of scanner.scan()) {
    if (batch.files.length + batch.skipped.length > 0) return false;
  }
  return true;
}
