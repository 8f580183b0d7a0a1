import { DOCUMENT_LIMITS, decodeUtf8 } from '../../content/frontmatter/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { messageOf } from '../../kit/errors.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';

/** What an author should know about a template's or rule file; `line` and `column` count from 1 and are null where unknown. */
export interface DefinitionProblem {
  path: string;
  reason: string;
  line: number | null;
  column: number | null;
  severity: 'error' | 'warning';
}

/** A file that was read, or why it could not be. */
export type DefinitionRead<File> = { file: File } | { problem: DefinitionProblem };

/** Most bytes of a template's or rule file. */
export const DEFINITION_FILE_LIMIT = DOCUMENT_LIMITS.bytes;

export const problemAt = (
  path: string,
  reason: string,
  line: number | null = null,
  column: number | null = null,
): DefinitionProblem => ({ path, reason, line, column, severity: 'error' });

/** Reads one file of definitions; what is known of unchanged bytes is not parsed again. Null: it is gone. */
export async function readDefinition<File extends { checksum: string }>(
  store: FileStore,
  path: string,
  known: File | undefined,
  parse: (path: string, text: string, checksum: string) => DefinitionRead<File>,
): Promise<DefinitionRead<File> | null> {
  try {
    const stat = await store.stat(path);
    if (stat === undefined) return null;
    if (stat.size > DEFINITION_FILE_LIMIT) {
      return { problem: problemAt(path, `the file is larger than ${DEFINITION_FILE_LIMIT} bytes`) };
    }
    const bytes = await store.read(path);
    const checksum = checksumOf(bytes);
    if (known?.checksum === checksum) return { file: known };
    const decoded = decodeUtf8(bytes);
    if (decoded.ok) return parse(path, decoded.text, checksum);
    const { reason, line, column } = decoded.problem;
    return { problem: problemAt(path, reason, line, column) };
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return null;
    return { problem: problemAt(path, messageOf(error)) };
  }
}
