import { HEAD_BYTES, mediaTypeOf } from '../../content/assets/index.ts';
import { type DocumentProblem, decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { PathClass } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { messageOf } from '../../kit/errors.ts';
import { type FileScanner, type FileStat, FilesError } from '../../platform/files/files.ts';
import { type ImportItem, readEntityFile, tooLargeFile, VERIFY_AGAIN } from '../texts/index.ts';

/** A file to read. `template` is set for the main file of an entity. */
export interface Pending {
  stat: FileStat;
  place: PathClass;
  template: TemplateDefinition | null;
  /** True if it changed so shortly before its stat that another change might leave the stat the same. */
  racy: boolean;
}

/** Reads one file; `null` if it is gone, the reason if it cannot be read. */
export function readItem(
  { scanner, largestText }: { scanner: FileScanner; largestText: number },
  pending: Pending,
): ImportItem | { unreadable: string } | null {
  const { stat, template } = pending;
  let read: ReadBytes;
  try {
    const isText = template !== null && stat.size <= largestText;
    read = isText ? readText(scanner, stat) : digestOf(scanner, stat);
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return null;
    return { unreadable: messageOf(error) };
  }
  return itemOf(pending, read, largestText);
}

export function itemOf(
  pending: Pending,
  { sha256, head, bytes }: ReadBytes,
  largestText: number,
): ImportItem {
  const { stat, place, template } = pending;
  const entity =
    template === null
      ? null
      : bytes === null
        ? tooLarge(stat, largestText)
        : readEntity(template, stat.path, bytes, sha256);
  return {
    record: {
      path: stat.path,
      size: stat.size,
      mtimeMs: stat.mtimeMs,
      ctimeMs: pending.racy ? VERIFY_AGAIN : stat.ctimeMs,
      ino: stat.ino,
      entry_type: place.entry_type,
      entity_type: place.entity_type,
      entity_id: place.role === 'entity' && template === null ? null : place.entity_id,
      sha256,
      media_type: place.entry_type === 'asset' ? mediaTypeOf(head, stat.path) : null,
      problem: entity !== null && 'problem' in entity ? JSON.stringify(entity.problem) : null,
    },
    state: entity !== null && 'state' in entity ? entity.state : null,
  };
}

export interface ReadBytes {
  sha256: string;
  head: Uint8Array;
  /** Null if they are not needed, or too many to hold in memory. */
  bytes: Uint8Array | null;
}

const digestOf = (scanner: FileScanner, { path }: FileStat): ReadBytes => ({
  ...scanner.digestSync(path, HEAD_BYTES),
  bytes: null,
});

function readText(scanner: FileScanner, { path }: FileStat): ReadBytes {
  const bytes = scanner.readSync(path);
  return { sha256: sha256Hex(bytes), head: bytes, bytes };
}

type Problem = Pick<DocumentProblem, 'reason' | 'line' | 'column'>;

const tooLarge = ({ size }: FileStat, largestText: number) => ({
  problem: { ...tooLargeFile(size, largestText), largest_text: largestText },
});

function readEntity(template: TemplateDefinition, path: string, bytes: Uint8Array, sha256: string) {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { problem: placeOf(decoded.problem) };
  const read = readEntityFile(template, { path, text: decoded.text, checksum: `sha256:${sha256}` });
  return read.ok ? { state: read.state } : { problem: placeOf(read.problem) };
}

const placeOf = ({ reason, line, column }: DocumentProblem): Problem => ({ reason, line, column });
