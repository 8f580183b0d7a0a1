import type { ReadDocument } from '../../content/frontmatter/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import { storedFileText } from '../records/entity-rows.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { keepDamagedFile } from './damaged-file.ts';
import { commitEntity } from './entity-commit.ts';
import { readEntity, refuseUnreadable } from './entity-files.ts';

export interface SettledFile {
  /** The row that now mirrors the file. */
  row: EntityRow;
  document: ReadDocument;
  /** The text to edit. */
  text: string;
  /** The text on disk; differs from `text` only where a damaged file is being overwritten. */
  onDisk: string;
  /** Hash of the bytes on disk, to see before a write whether somebody else has written. */
  diskChecksum: string;
}

/**
 * Brings row and file together before an edit: a file that was changed outside is taken in as a version of its own,
 * so that the edit that follows overwrites nothing unseen. The caller holds the entity's lock.
 *
 * 409 for a file that is gone or cannot be read; with `overwrite` a damaged file's text goes to the revisions and the
 * last readable state is what gets edited.
 */
export async function settleFile(
  project: Project,
  template: TemplateDefinition,
  row: EntityRow,
  options: { overwrite: boolean; actor: string; now(): string },
): Promise<SettledFile> {
  const read = await readEntity(project, template, row.path);
  if (read === undefined) {
    throw conflict(`${row.path} is gone from the folder: run a sync, then restore it from the recycle bin`, {
      code: 'file_missing',
    });
  }
  const { file, checksum: diskChecksum } = read;
  if (!file.ok) {
    if (!options.overwrite) throw refuseUnreadable(row.path, file.problem);
    const kept = await keepDamagedFile(project, row, read.bytes, options);
    const text = await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id));
    const document = readDocument(text ?? '');
    if (text === undefined || !document.ok) throw refuseUnreadable(row.path, file.problem);
    return { row: kept, document, text, onDisk: new TextDecoder().decode(read.bytes), diskChecksum };
  }
  const text = file.document.head + file.document.body;
  if (read.checksum === row.file_checksum)
    return { row, document: file.document, text, onDisk: text, diskChecksum };
  if (file.state.entity_id !== row.entity_id) {
    throw conflict(`${row.path} now says id '${file.state.entity_id}': run a sync before you change it`, {
      code: 'id_changed_outside',
    });
  }
  const taken = await commitEntity(project, {
    write: {
      state: file.state,
      previous: row,
      changed: [],
      stamp: {
        version: row.version + 1,
        created_at: row.created_at,
        updated_at: isoTime(read.stat.mtimeMs),
        updated_by: null,
        source: 'file',
      },
    },
    stat: read.stat,
    entitiesLimit: -1,
    now: options.now,
  });
  return { row: taken, document: file.document, text, onDisk: text, diskChecksum };
}
