import { textOfAnyBytes } from '../../content/frontmatter/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import {
  type EntityRow,
  keepRevisions,
  keepUnreadableText,
  type Project,
  type RecordsDb,
} from '../records/index.ts';

/** Keeps an unreadable text as a revision; the row gets the next version. Bytes that are not UTF-8 are decoded as older programs wrote. */
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
