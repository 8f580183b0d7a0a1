import { DOCUMENT_LIMITS, decodeUtf8 } from '../../../content/frontmatter/index.ts';
import { checksumOf } from '../../../kit/crypto.ts';
import type { FileStore } from '../../../platform/files/files.ts';
import { ifGone } from '../../../platform/files/if-gone.ts';

/** A problem in a text; `line` and `column` count from 1 and are null if unknown. */
export interface TextProblem {
  reason: string;
  line: number | null;
  column: number | null;
}

export interface DefinitionProblem extends TextProblem {
  path: string;
  severity: 'error' | 'warning';
}

export type Parsed<File, Problem extends TextProblem = TextProblem> = { file: File } | { problem: Problem };

/** A kind of text file that both people and the API change. */
export interface FileKind<File> {
  /** As in messages: "The rule file would be larger than …". */
  name: string;
  /** bytes */
  limit: number;
  parse(path: string, text: string, checksum: string): Parsed<File>;
}

export interface PresentFile<File> {
  path: string;
  bytes: Uint8Array;
  /** Of the bytes; empty for a file over its limit, which is not read. */
  checksum: string;
  /** With U+FFFD where bytes are not UTF-8. */
  text: string;
  isText: boolean;
  read: Parsed<File, DefinitionProblem>;
}

export const DEFINITION_FILE_LIMIT = DOCUMENT_LIMITS.bytes;

export const problemAt = (path: string, reason: string): DefinitionProblem =>
  placed(path, { reason, line: null, column: null });

const placed = (path: string, { reason, line, column }: TextProblem): DefinitionProblem => ({
  path,
  reason,
  line,
  column,
  severity: 'error',
});

export function presentFile<File>(kind: FileKind<File>, path: string, bytes: Uint8Array): PresentFile<File> {
  const decoded = decodeUtf8(bytes);
  const checksum = checksumOf(bytes);
  const text = decoded.ok ? decoded.text : new TextDecoder().decode(bytes);
  const parsed = decoded.ok ? kind.parse(path, text, checksum) : decoded;
  const read = 'file' in parsed ? parsed : { problem: placed(path, parsed.problem) };
  return { path, bytes, checksum, text, isText: decoded.ok, read };
}

/** Null if there is no file. */
export async function readPresent<File>(
  files: FileStore,
  path: string,
  kind: FileKind<File>,
): Promise<PresentFile<File> | null> {
  const stat = await files.stat(path);
  if (stat === undefined) return null;
  if (stat.size > kind.limit) {
    const problem = problemAt(path, `the file is larger than ${kind.limit} bytes`);
    return { path, bytes: new Uint8Array(), checksum: '', text: '', isText: false, read: { problem } };
  }
  const bytes = await files.read(path).catch(ifGone);
  return bytes ? presentFile(kind, path, bytes) : null;
}
