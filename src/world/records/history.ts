import { checksumOf } from '../../kit/crypto.ts';
import { revisionChain } from './history.store.ts';
import { unpackText } from './history-codec.ts';
import type { RecordsDb } from './records.tables.ts';
import type { RevisionRow } from './revisions.store.ts';
import type { Project } from './scope.ts';

export type RevisionInfo = Omit<RevisionRow, 'content' | 'packed' | 'delta_of'>;

/** Marks the text of a file that could not be read as an entity; its bytes may not have been text. */
const UNREADABLE = '["unreadable"]';

/** Returns a superseded version with its file's text, character for character; undefined if it is not kept. */
export async function readRevision(
  project: Pick<Project, 'tenantId' | 'database'>,
  rowId: number,
  version: number,
): Promise<{ info: RevisionInfo; text: string } | undefined> {
  const chain = await project.database.read((db: RecordsDb) =>
    revisionChain(db, project.tenantId, rowId, version),
  );
  const text = await textOf(chain);
  const [found] = chain;
  if (found === undefined || text === undefined) return undefined;
  if (found.changed !== UNREADABLE && checksumOf(text) !== found.file_checksum) {
    throw new Error(`version ${version} of row ${rowId} does not read as it was kept`);
  }
  const { content: _, packed: __, delta_of: ___, ...info } = found;
  return { info, text };
}

/** The text of a chain's first row, unpacked from the last row on. */
async function textOf(chain: readonly RevisionRow[]): Promise<string | undefined> {
  let newer: string | undefined;
  for (const row of chain.toReversed()) {
    if (row.packed === null) newer = row.content;
    else newer = await unpackText(row.packed, row.delta_of === null ? null : (newer ?? null));
  }
  return newer;
}
