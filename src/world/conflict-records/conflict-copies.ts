import { compareContent } from '../../content/compare.ts';
import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import { isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { folderOf } from '../../text/paths.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { findEntityRow, hasOrHad, type Project, type RecordsDb } from '../records/index.ts';
import { readEntityFile } from '../texts/index.ts';
import { type ConflictRecords, sideOfRow } from './conflict-records.ts';
import { wasResolved } from './conflicts.store.ts';
import { contentOfText } from './content-of-text.ts';
import { discardCopy } from './discard-copy.ts';

/**
 * Imports a copy that a file-sync tool left beside an entity's file. Its differences become a conflict with an unknown base; without
 * differences the copy is left alone.
 */
export function createConflictCopies(options: { templates: TemplateRegistry; records: ConflictRecords }) {
  const { templates, records } = options;

  return async (project: Project, path: string): Promise<void> => {
    const { types } = await templates.of(project);
    const template = [...types.values()].find(({ folder_name: folder }) => path.startsWith(`${folder}/`));
    const stat = await project.files.stat(path);
    if (template === undefined || stat === undefined) return;
    const bytes = await project.files.read(path);
    const checksum = checksumOf(bytes);
    const decoded = decodeUtf8(bytes);
    const read = decoded.ok ? readEntityFile(template, { path, text: decoded.text, checksum }) : decoded;
    if (!read.ok || !decoded.ok) return;
    const { entity_type: type, entity_id: id } = read.state;
    const row = await project.database.read((db: RecordsDb) => findEntityRow(db, project, type, id));
    if (row === undefined || folderOf(row.path) !== folderOf(path) || row.path === path) return;
    if (await project.database.read((db: RecordsDb) => hasOrHad(db, row, checksum))) {
      const copy = { path, row_id: row.row_id, checksum };
      const resolved = await wasResolved(project, copy);
      if (resolved) await discardCopy(project, resolved);
      return;
    }
    const local = decodeUtf8(await project.files.read(row.path));
    if (!local.ok) return;
    const difference = compareContent(
      contentOfText(template, local.text),
      contentOfText(template, decoded.text),
    );
    if (difference.identical) return;
    const fields = [...difference.attributes, ...difference.fields].map(({ field }) => field);
    const bodyDiffers = difference.body.some(({ kind }) => kind !== 'same');
    await records.keep(project, {
      row,
      base: null,
      local: sideOfRow(row, local.text),
      remote: { version: null, text: decoded.text, updated_at: isoTime(stat.mtimeMs), updated_by: null },
      conflicting_fields: [...fields, ...(bodyDiffers ? ['markdown_body'] : [])],
      copyPath: path,
    });
  };
}

export type NoteConflictCopy = ReturnType<typeof createConflictCopies>;
