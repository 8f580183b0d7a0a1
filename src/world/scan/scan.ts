import type { FileScanner } from '../../platform/files/files.ts';
import type { ImportItem } from '../texts/index.ts';
import type { ScanRequest, ScanSummary } from './protocol.ts';
import { type Pending, readItem } from './read-item.ts';
import { createWalk, type ScanProject } from './walk.ts';

export interface LocalProject extends ScanProject {
  scanner: FileScanner;
}

export type ScanStep = { items: ImportItem[] } | { walked: ScanSummary } | { progress: true };

/** Files per commit: much of its work is the same for any number of files. */
const BATCH_FILES = 240;
const BATCH_BYTES = 2 * 1024 * 1024;

/**
 * Walks a project and reads new and changed files in batches. With known rows the whole walk comes first, so that a
 * moved file can be told from a copy; a first import reads during the walk.
 */
export function* scanProject(
  project: LocalProject,
  request: ScanRequest,
  walkNumber: number,
): Iterable<ScanStep> {
  const walk = createWalk(project, request, walkNumber);
  const isFirst = project.replica.size() === 0;
  const later: Pending[] = [];
  if (isFirst) yield* read(project, eachOf(walk.run()), walk.skip);
  else {
    for (const pending of walk.run()) {
      for (const item of pending) later.push(item);
      yield { progress: true };
    }
  }
  if (later.length > 0) {
    yield { walked: walk.summary };
    yield* read(project, later, walk.skip);
  }
  // The summary is sent again at the end, since reading finds unreadable files.
  yield { walked: walk.summary };
}

function* eachOf(parts: Iterable<readonly Pending[]>): Iterable<Pending> {
  for (const part of parts) yield* part;
}

function* read(
  project: LocalProject,
  pending: Iterable<Pending>,
  skip: (entry: ScanSummary['skipped'][number]) => void,
): Iterable<ScanStep> {
  let items: ImportItem[] = [];
  let bytes = 0;
  for (const one of pending) {
    const item = readItem(project, one);
    if (item === null) continue;
    if ('unreadable' in item) {
      skip({ path: one.stat.path, reason: 'unreadable' });
      continue;
    }
    items.push(item);
    bytes += item.state === null ? 0 : item.record.size;
    if (items.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
    yield { items };
    items = [];
    bytes = 0;
  }
  if (items.length > 0) yield { items };
}
