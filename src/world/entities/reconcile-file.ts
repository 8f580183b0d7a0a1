import { decodeUtf8, type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { FilesError } from '../../platform/files/files.ts';
import { type EntityRow, type Project, type RecordsDb, storedFileText } from '../records/index.ts';
import { keepDamagedFile } from './damaged-file.ts';
import { commitEntity, type Origin } from './entity-commit.ts';
import { idChangedOutside, readEntity, refuseUnreadable } from './entity-files.ts';
import { requireMatch } from './etag.ts';

export interface ReconciledFile {
  row: EntityRow;
  document: ReadDocument;
  text: string;
  /** The text on disk; differs from `text` only while a damaged file is being overwritten. */
  onDisk: string;
  /** The bytes on disk, by which a write notices a concurrent one. */
  bytes: Uint8Array;
}

interface SettleOptions {
  overwrite: boolean;
  actor: string;
  now(): string;
  origin?: Origin;
  ifMatch?: HeaderValue;
}

/**
 * Reconciles row and file before an edit: a file changed outside is imported as a version of its own, so that the edit overwrites
 * nothing unseen. The caller holds the entity's lock. `origin` marks the text as a known, interrupted change.
 * 409 for a file that is gone or unreadable; with `overwrite` a damaged text goes to the revisions, and the last readable state, the
 * one a caller can have seen, is edited. 412 if `ifMatch` names another.
 */
export async function reconcileFile(
  project: Project,
  template: TemplateDefinition,
  row: EntityRow,
  options: SettleOptions,
): Promise<ReconciledFile> {
  const reconciled = await reconcile(project, template, row, options);
  if (reconciled.text === reconciled.onDisk) requireMatch(options.ifMatch, reconciled.row);
  return reconciled;
}

async function reconcile(
  project: Project,
  template: TemplateDefinition,
  row: EntityRow,
  options: SettleOptions,
): Promise<ReconciledFile> {
  const unchanged = await readUnchanged(project, row);
  if (unchanged) return unchanged;
  const read = await readEntity(project, template, row.path);
  if (read === undefined) {
    throw conflict(`${row.path} is gone from the folder: run a sync, then restore it from the recycle bin`, {
      code: 'file_missing',
    });
  }
  const { file, bytes } = read;
  if (!file.ok) {
    if (!options.overwrite) throw refuseUnreadable(row.path, file.problem);
    requireMatch(options.ifMatch, row);
    const kept = await keepDamagedFile(project, row, bytes, options);
    const text = await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id));
    const document = readDocument(text ?? '');
    if (text === undefined || !document.ok) throw refuseUnreadable(row.path, file.problem);
    return { row: kept, document, text, onDisk: new TextDecoder().decode(bytes), bytes };
  }
  const text = file.document.head + file.document.body;
  if (read.checksum === row.file_checksum) return { row, document: file.document, text, onDisk: text, bytes };
  if (file.state.entity_id !== row.entity_id) throw idChangedOutside(row, file.state.entity_id);
  const { origin } = options;
  const commit = {
    write: {
      state: file.state,
      previous: row,
      changed: [],
      stamp: {
        version: row.version + 1,
        created_at: row.created_at,
        updated_at: isoTime(read.stat.mtimeMs),
        updated_by: origin ? options.actor : null,
        source: origin?.source ?? ('file' as const),
        operation_id: origin?.operation_id ?? null,
      },
    },
    stat: read.stat,
    now: options.now,
  };
  const { row: taken } = await commitEntity(project, commit, origin?.also);
  return { row: taken, document: file.document, text, onDisk: text, bytes };
}

/** Reads the file if it is what the row mirrors, the usual case; it then needs no import. */
async function readUnchanged(project: Project, row: EntityRow): Promise<ReconciledFile | undefined> {
  const bytes = await project.files.read(row.path, project.largestText).catch((error: unknown) => {
    if (error instanceof FilesError) return undefined;
    throw error;
  });
  if (bytes === undefined || checksumOf(bytes) !== row.file_checksum) return undefined;
  const decoded = decodeUtf8(bytes);
  const document = decoded.ok ? readDocument(decoded.text, { toEdit: true }) : undefined;
  if (!document?.ok) return undefined;
  const text = document.head + document.body;
  return { row, document, text, onDisk: text, bytes };
}
