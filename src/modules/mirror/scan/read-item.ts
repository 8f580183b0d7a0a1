import { DOCUMENT_LIMITS, type DocumentProblem, decodeUtf8 } from '../../../content/frontmatter/index.ts';
import type { PathClass } from '../../../content/paths/index.ts';
import type { TemplateDefinition } from '../../../content/template/index.ts';
import { sha256Hex, streamingSha256 } from '../../../kit/crypto.ts';
import { messageOf } from '../../../kit/errors.ts';
import { type FileScanner, type FileStat, FilesError } from '../../../platform/files/files.ts';
import type { ImportItem } from '../../entities/import.service.ts';
import { readEntityFile } from '../../records/render.ts';

/** A file that is to be read. `template` is set for the main file of an entity. */
export interface Pending {
  stat: FileStat;
  place: PathClass;
  template: TemplateDefinition | null;
  /** Changed so shortly before it was looked at that its stat may not tell the next change. */
  racy: boolean;
}

/** Assets above this size are hashed piece by piece (bytes). */
const LARGE_ASSET = 4 * 1024 * 1024;

/** Never a real change time, so that the next walk reads the file again. */
const VERIFY_AGAIN = 0;

/** Reads one file; `null` when it is gone, the reason when it cannot be read. */
export function readItem(scanner: FileScanner, pending: Pending): ImportItem | { unreadable: string } | null {
  const { stat, place, template } = pending;
  let read: ReadBytes;
  try {
    read = readBytes(scanner, stat, template === null ? LARGE_ASSET : DOCUMENT_LIMITS.bytes);
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return null;
    return { unreadable: messageOf(error) };
  }
  const { sha256, bytes } = read;
  const entity =
    template === null ? null : bytes === null ? TOO_LARGE : readEntity(template, stat.path, bytes, sha256);
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
      problem: entity !== null && 'problem' in entity ? JSON.stringify(entity.problem) : null,
    },
    state: entity !== null && 'state' in entity ? entity.state : null,
    modifiedAt: new Date(stat.mtimeMs).toISOString(),
  };
}

interface ReadBytes {
  sha256: string;
  /** Null where the file is too large to hold. */
  bytes: Uint8Array | null;
}

function readBytes(scanner: FileScanner, stat: FileStat, limit: number): ReadBytes {
  if (stat.size <= limit) {
    const bytes = scanner.readSync(stat.path);
    return { sha256: sha256Hex(bytes), bytes };
  }
  const hash = streamingSha256();
  for (const chunk of scanner.chunksSync(stat.path)) hash.update(chunk);
  return { sha256: hash.digest('hex'), bytes: null };
}

type Problem = Pick<DocumentProblem, 'reason' | 'line' | 'column'>;

const TOO_LARGE: { problem: Problem } = {
  problem: { reason: `the file is larger than ${DOCUMENT_LIMITS.bytes} bytes`, line: 1, column: 1 },
};

function readEntity(template: TemplateDefinition, path: string, bytes: Uint8Array, sha256: string) {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { problem: placeOf(decoded.problem) };
  const read = readEntityFile(template, { path, text: decoded.text, checksum: `sha256:${sha256}` });
  return read.ok ? { state: read.state } : { problem: placeOf(read.problem) };
}

const placeOf = ({ reason, line, column }: DocumentProblem): Problem => ({ reason, line, column });
