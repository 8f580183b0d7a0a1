import { decodeUtf8, readDocument } from '../../../content/frontmatter/index.ts';
import { isoTime } from '../../../kit/clock.ts';
import { checksumOf } from '../../../kit/crypto.ts';
import type { DriveFile } from '../../../platform/drive/drive.ts';
import { sideOfRow } from '../../../world/conflict-records/index.ts';
import { changedParts } from '../../../world/entities/index.ts';
import {
  type EntityRow,
  mergeTexts,
  newestRevisionWith,
  type Project,
  type RecordsDb,
  readRevision,
} from '../../../world/records/index.ts';
import { checksumText } from '../../sync/index.ts';
import type { DriveParts } from './drive-parts.ts';
import type { EntityOrFile } from './put-parts.ts';

/** The result of merging an own text with one of the drive. */
export type Merged =
  /** The drive gets this. */
  | { kind: 'text'; text: string }
  /** Both changed the same: the drive keeps its text, and both sides are kept as a conflict here. */
  | { kind: 'conflict' }
  | { kind: 'unreadable'; reason: string };

interface Base {
  text: string;
  version: number;
}

/** The text that both were made from; undefined if it is not kept. */
export async function baseOf(
  { project }: DriveParts,
  { base, local, content }: EntityOrFile,
): Promise<Base | undefined> {
  const { row } = local;
  const { sha256 } = base;
  if (row === null || sha256 === null) return undefined;
  // It was only moved here.
  if (sha256 === local.sha256) return { text: String(content), version: row.version };
  const version = await project.database.read((db: RecordsDb) =>
    newestRevisionWith(db, project.tenantId, row.row_id, checksumText(sha256)),
  );
  const revision = version === undefined ? undefined : await readRevision(project, row.row_id, version);
  return version === undefined || revision === undefined ? undefined : { text: revision.text, version };
}

/** True if the entity had these bytes after the base. */
export async function isLaterVersion(
  project: Project,
  row: Pick<EntityRow, 'row_id'>,
  { sha256, than }: { sha256: string; than: string | null },
): Promise<boolean> {
  if (than === null) return false;
  return project.database.read(async (db: RecordsDb) => {
    const versionWith = (digits: string) =>
      newestRevisionWith(db, project.tenantId, row.row_id, checksumText(digits));
    const [version, base] = [await versionWith(sha256), await versionWith(than)];
    return version !== undefined && base !== undefined && version > base;
  });
}

/** Merges three ways, as a cloud does: a drive cannot (spec 2 §2.4). */
export async function mergeEntity(
  parts: DriveParts,
  change: EntityOrFile,
  bytes: Uint8Array,
  file: Pick<DriveFile, 'modifiedAt' | 'modifiedBy'>,
): Promise<Merged> {
  const decoded = decodeUtf8(bytes);
  const remote = decoded.ok ? decoded.text : '';
  const readable = decoded.ok ? readDocument(remote) : decoded;
  if (!readable.ok) {
    const { line, reason } = readable.problem;
    return {
      kind: 'unreadable',
      reason: `its text in the drive cannot be read (line ${line}: ${reason}): mend it there first`,
    };
  }
  const local = String(change.content);
  const base = await baseOf(parts, change);
  const merge = base && (await mergeTexts({ base: base.text, local, remote }));
  if (merge?.clean === true && merge.structured) return { kind: 'text', text: merge.text };
  await keepConflict(parts, change, {
    base,
    remote,
    file,
    fields: merge?.conflicts.map(({ field }) => field),
  });
  return { kind: 'conflict' };
}

interface Disputed {
  base: Base | undefined;
  remote: string;
  file: Pick<DriveFile, 'modifiedAt' | 'modifiedBy'>;
  fields: string[] | undefined;
}

async function keepConflict(
  { project, conflicts }: DriveParts,
  { local: { row }, content }: EntityOrFile,
  { base, remote, file, fields }: Disputed,
): Promise<void> {
  if (row === null || checksumOf(remote) === checksumOf(String(content))) return;
  await conflicts.keep(project, {
    row,
    base: base
      ? { version: base.version, text: base.text, updated_at: row.updated_at, updated_by: null }
      : null,
    // The drive's text is the project's from the next pull on. What can be lost is the own one, so it is the side that tells conflicts apart.
    local: {
      version: null,
      text: remote,
      updated_at: isoTime(file.modifiedAt),
      updated_by: file.modifiedBy ?? 'drive',
    },
    remote: sideOfRow(row, String(content)),
    isPushed: true,
    conflicting_fields: [...new Set(fields ?? changedParts(String(content), remote))],
    copyPath: null,
  });
}
