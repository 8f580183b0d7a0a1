import { classifyPath } from '../../content/paths/index.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { findFiles, type Project, putFiles, takeSequence } from '../records/index.ts';
import type { FileRecord } from '../texts/index.ts';
import type { AssetDb } from './assets.tables.ts';

export interface WrittenFile {
  stat: FileStat;
  sha256: string;
  /** Null for a file that is not an asset. */
  mediaType: string | null;
}

/** Records a file as a sync would, so that manifest and assets show it at once. */
export async function noteFile(
  db: AssetDb,
  project: Project,
  { byFolder }: Pick<TemplateSet, 'byFolder'>,
  { stat, sha256, mediaType }: WrittenFile,
  at: string,
): Promise<void> {
  const { entry_type, entity_type, entity_id } = classifyPath(stat.path, byFolder);
  const record: FileRecord = {
    ...stat,
    entry_type,
    entity_type,
    entity_id,
    sha256,
    media_type: mediaType,
    problem: null,
  };
  const firstSeq = await takeSequence(db, project, 1);
  const before = await findFiles(db, project, [stat.path]);
  await putFiles(db, project.database.dialect, project, [record], { before, firstSeq, at });
}
