import { isEntityId } from '../../content/entity/index.ts';
import { type DocumentProblem, decodeUtf8 } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, type HttpError, tooLarge } from '../../kit/errors.ts';
import type { FileStat } from '../../platform/files/files.ts';
import { type Project, unreadableFile } from '../records/index.ts';
import { type EntityFile, type FileRecord, readEntityFile, tooLargeFile } from '../texts/index.ts';

export interface ReadEntity {
  bytes: Uint8Array;
  stat: FileStat;
  checksum: string;
  /** The parsed bytes, or the reason why they cannot be read. */
  file: EntityFile | { ok: false; problem: DocumentProblem };
}

/** Reads an entity's file; undefined if it does not exist. 409 if it is too large. */
export async function readEntity(
  project: Project,
  template: TemplateDefinition,
  path: string,
): Promise<ReadEntity | undefined> {
  const stat = await project.files.stat(path);
  if (stat === undefined) return undefined;
  if (stat.size > project.largestText)
    throw unreadable(
      path,
      { ...tooLargeFile(stat.size, project.largestText), code: 'too_large' },
      'Make it smaller, or move it away',
    );
  const bytes = await project.files.read(path);
  const checksum = checksumOf(bytes);
  const decoded = decodeUtf8(bytes);
  const file = decoded.ok ? readEntityFile(template, { path, text: decoded.text, checksum }) : decoded;
  return { bytes, stat, checksum, file };
}

export const entityFileRecord = (
  stat: FileStat,
  checksum: string,
  entity: { entity_type: string; entity_id: string },
): FileRecord => ({
  ...stat,
  entry_type: 'markdown',
  entity_type: entity.entity_type,
  entity_id: entity.entity_id,
  sha256: checksum.slice('sha256:'.length),
  media_type: null,
  problem: null,
});

export const refuseUnreadable = (path: string, problem: DocumentProblem): HttpError =>
  unreadable(
    path,
    problem,
    'Fix the file, or send overwrite: true to replace it; its text is then kept in the revisions',
  );

const unreadable = (path: string, { line, column, reason }: DocumentProblem, advice: string): HttpError =>
  unreadableFile(`${path} cannot be read (line ${line}, column ${column}: ${reason}). ${advice}`, [
    { path, reason, line },
  ]);

/** The error for a file that now belongs to another entity, which must not be changed by mistake. */
export const idChangedOutside = ({ path }: Pick<FileStat, 'path'>, entityId: string): HttpError =>
  conflict(`${path} now says id '${entityId}': run a sync before you change it`, {
    code: 'id_changed_outside',
  });

/** 409 if an unknown entity's file exists but was never readable: there is no state to write over. */
export async function refuseNeverRead(
  project: Project,
  template: TemplateDefinition,
  entityId: string,
): Promise<void> {
  if (!isEntityId(entityId)) return;
  const path = entityFilePath(template, entityId);
  const read = await readEntity(project, template, path);
  if (read && !read.file.ok) throw unreadable(path, read.file.problem, 'Fix the file: it is then imported');
}

/** 413 for a text too large for an entity's file. */
export function requireSize(text: string, { largestText }: Pick<Project, 'largestText'>): void {
  const size = Buffer.byteLength(text);
  if (size > largestText) {
    throw tooLarge(
      `The file would have ${size} bytes; an entity may have ${largestText} (setting MAX_TEXT_BYTES)`,
    );
  }
}
