import { textOfAnyBytes } from '../../content/frontmatter/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import {
  type EntityRow,
  keepRevisions,
  keepUnreadableText,
  type Project,
  type RecordsDb,
} from '../records/index.ts';

/**
 * Keeps the text of a file that cannot be read as a revision of its own and returns the row with its version counted
 * up past it. Bytes that are no UTF-8 are kept as the text that they are in the encoding of older programs.
 */
export function keepDamagedFile(
  project: Project,
  row: EntityRow,
  bytes: Uint8Array,
  { now }: { now(): string },
): Promise<EntityRow> {
  const checksum = checksumOf(bytes);
  return project.database.write(async (db: RecordsDb) => {
    const version = row.version + 1;
    await keepRevisions(db, project.database.dialect, [{ row }]);
    await keepUnreadableText(db, row, {
      version,
      checksum,
      content: textOfAnyBytes(bytes),
      at: now(),
    });
    return { ...row, version };
  });
}
