import { setImmediate as turn } from 'node:timers/promises';
import { type FileChange, fileChangesSince } from '../records/files.store.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import { type Project, scopeColumns } from '../records/scope.ts';
import { lastSequence } from '../records/sequence.store.ts';
import type { TemplateSet } from '../templates/template-set.ts';
import { NUMBERS_PER_ROW, ROW, type RowsPage, type ScanRequest } from './scan/protocol.ts';
import type { ScanHandlers, ScannerClient } from './scanner-client.ts';

const PAGE = 2_000;

/** What is wrong with a file, as the column `problem` holds it. */
export interface StoredProblem {
  reason: string;
  line: number;
  column: number;
  retry?: boolean;
}

const flagsOf = (row: FileChange): number => {
  if (row.deleted_at !== null) return ROW.deleted;
  const problem = row.problem === null ? null : (JSON.parse(row.problem) as StoredProblem);
  return (
    (row.entry_type === 'markdown' && row.entity_id !== null ? ROW.main : 0) |
    (problem ? ROW.problem : 0) |
    (problem?.retry ? ROW.retry : 0)
  );
};

function pageOf(rows: readonly FileChange[]): RowsPage {
  const numbers = new Float64Array(rows.length * NUMBERS_PER_ROW);
  rows.forEach((row, index) => {
    numbers.set([row.size, row.mtime_ms, row.ctime_ms, row.ino], index * NUMBERS_PER_ROW);
  });
  return { paths: rows.map((row) => row.path), numbers, flags: Uint8Array.from(rows, flagsOf) };
}

/** A project as the scanner knows it: keeps the scanner's copy of the file index and of the templates up to date. */
export function createScannerSession(client: ScannerClient, project: Project) {
  const key = `${project.tenantId}/${project.projectId}`;
  let generation = 0;
  let seq = -1;
  let templates = '';

  function renew(): void {
    const present = client.generation();
    if (present === generation) return;
    client.post({ type: 'open', project: key, files: project.files.describe() });
    generation = present;
    seq = -1;
    templates = '';
  }

  async function sendRows(): Promise<void> {
    for (;;) {
      const values = { ...scopeColumns(project), seq, limit: PAGE };
      const rows = await project.database.read((db: RecordsDb) => fileChangesSince(db, values));
      const last = rows.at(-1);
      if (last === undefined) return;
      client.post({ type: 'rows', project: key, page: pageOf(rows) });
      seq = last.seq;
      if (rows.length < PAGE) return;
      await turn();
    }
  }

  return {
    /** Brings the scanner up to date; resolves to the last sequence number that it then knows, and whether it knows any file. */
    async prepare(set: TemplateSet): Promise<{ seenSeq: number; isEmpty: boolean }> {
      renew();
      const seenSeq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
      await sendRows();
      if (templates !== set.version) {
        client.post({ type: 'templates', project: key, definitions: [...set.types.values()] });
        templates = set.version;
      }
      return { seenSeq, isEmpty: seq < 0 };
    },
    scan: (request: ScanRequest, handlers: ScanHandlers) => client.scan(key, request, handlers),
  };
}

export type ScannerSession = ReturnType<typeof createScannerSession>;
