import { setImmediate as turn } from 'node:timers/promises';
import { typeFolders } from '../../content/paths/index.ts';
import type { TemplateSet } from '../definitions/index.ts';
import {
  type FileChange,
  fileChangesAt,
  fileChangesSince,
  hasFiles,
  lastSequence,
  type Project,
  problemFileChanges,
  type RecordsDb,
  readProblem,
  scopeColumns,
} from '../records/index.ts';
import {
  MOST_WAITING,
  NUMBERS_PER_ROW,
  ROW,
  type RowsPage,
  rootsOf,
  type ScanHandlers,
  type ScannerClient,
  ScannerLost,
  type ScanRequest,
} from '../scan/index.ts';

const PAGE = 2_000;

const flagsOf = (row: FileChange, largestText: number): number => {
  if (row.deleted_at !== null) return ROW.deleted;
  const problem = row.problem === null ? null : readProblem(row.problem);
  return (
    (row.entry_type === 'markdown' && row.entity_id !== null ? ROW.main : 0) |
    (problem ? ROW.problem : 0) |
    (problem?.retry || (problem?.largest_text ?? largestText) !== largestText ? ROW.retry : 0)
  );
};

function pageOf(rows: readonly FileChange[], largestText: number): RowsPage {
  const numbers = new Float64Array(rows.length * NUMBERS_PER_ROW);
  rows.forEach((row, index) => {
    numbers.set([row.size, row.mtime_ms, row.ctime_ms, row.ino], index * NUMBERS_PER_ROW);
  });
  return {
    paths: rows.map((row) => row.path),
    numbers,
    flags: Uint8Array.from(rows, (row) => flagsOf(row, largestText)),
  };
}

/**
 * Keeps the scanner's copy of a project's file index and templates up to date. A new scanner gets only the rows of the paths to scan
 * and of files still to be imported; it gets the whole index with a full scan.
 */
export function createScannerSession(client: ScannerClient, project: Project) {
  const key = `${project.tenantId}/${project.projectId}`;
  let generation = 0;
  /** The sequence number up to which the scanner has the index; -1 if it has at most parts. */
  let seq = -1;
  let templates = '';
  let place = '';

  /** The scanner may be a new one, and the files may be in another place. */
  async function renew(): Promise<void> {
    const files = await project.files.describe();
    const present = client.generation();
    const wanted = JSON.stringify(files);
    if (present === generation && wanted === place) return;
    client.post({ type: 'open', project: key, files, largestText: project.largestText });
    generation = present;
    place = wanted;
    seq = -1;
    templates = '';
  }

  async function sendRows(): Promise<void> {
    for (;;) {
      const values = { ...scopeColumns(project), seq, limit: PAGE };
      const rows = await project.database.read((db: RecordsDb) => fileChangesSince(db, values));
      const last = rows.at(-1);
      if (last === undefined) return;
      client.post({ type: 'rows', project: key, page: pageOf(rows, project.largestText) });
      seq = last.seq;
      if (rows.length < PAGE) return;
      await turn();
    }
  }

  const sendRowsAt = (roots: readonly string[]): Promise<void> =>
    project.database.read(async (db: RecordsDb) => {
      const send = (rows: readonly FileChange[]) => {
        if (rows.length > 0)
          client.post({ type: 'rows', project: key, page: pageOf(rows, project.largestText) });
      };
      send(await problemFileChanges(db, project, MOST_WAITING));
      for (const root of roots) send(await fileChangesAt(db, project, root));
    });

  return {
    /** Updates the scanner for the paths to scan (null for everything); resolves to its last number and whether no files are known. */
    async prepare(
      set: TemplateSet,
      under: readonly string[] | null,
    ): Promise<{ seenSeq: number; isEmpty: boolean }> {
      await renew();
      const seenSeq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
      const roots = under && rootsOf(under, typeFolders(set.types.values()));
      if (roots === null || seq >= 0) await sendRows();
      else await sendRowsAt(roots);
      const isEmpty = seq < 0 && !(await project.database.read((db: RecordsDb) => hasFiles(db, project)));
      return { seenSeq, isEmpty };
    },
    useTemplates(set: TemplateSet): void {
      if (templates === set.version) return;
      client.post({ type: 'templates', project: key, definitions: [...set.types.values()] });
      templates = set.version;
    },
    close: () => client.forget(key),
    async scan(request: ScanRequest, handlers: ScanHandlers): Promise<void> {
      if (client.generation() !== generation) throw new ScannerLost('the scanner ended before it was asked');
      await client.scan(key, request, handlers);
    },
  };
}

export type ScannerSession = ReturnType<typeof createScannerSession>;
