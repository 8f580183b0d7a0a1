import {
  chainBefore,
  crowdedHistories,
  LONGEST_CHAIN,
  type PackedVersion,
  type Project,
  packText,
  plainVersions,
  type RecordsDb,
  rowIdOf,
  storePacked,
  unpackText,
} from '../records/index.ts';

/** Recent versions stay plain, so that a save packs nothing; above this number the older ones are packed. */
const MOST_PLAIN = 12;
const KEPT_PLAIN = 4;
/** Versions per transaction. */
const BATCH = 8;
/** Characters to rebuild for one version at most: large texts get shorter chains. */
const CHAIN_TEXT = 16 * 1024 * 1024;

/**
 * Packs older versions of entities with many plain ones, oldest first. May stop at any point and continue later.
 * Resolves to the number of packed versions.
 */
export function packHistory(project: Project, signal?: AbortSignal): Promise<number> {
  return project.database.exclusive(`history ${project.projectId}`, async () => {
    const range = { from: rowIdOf(project.number, 0), until: rowIdOf(project.number + 1, 0) };
    const crowded = await project.database.read((db: RecordsDb) =>
      crowdedHistories(db, project.tenantId, range, MOST_PLAIN),
    );
    let packed = 0;
    for (const { row_id, plain } of crowded) {
      for (let left = Number(plain) - KEPT_PLAIN; left > 0 && !signal?.aborted; left -= BATCH) {
        packed += await packOldest(project, row_id, Math.min(left, BATCH));
      }
    }
    return packed;
  });
}

async function packOldest(project: Project, rowId: number, count: number): Promise<number> {
  const { tenantId } = project;
  const { rows, chain } = await project.database.read(async (db: RecordsDb) => {
    const oldest = await plainVersions(db, tenantId, rowId, count + 1);
    const first = oldest[0]?.version ?? 0;
    return { rows: oldest, chain: await chainBefore(db, tenantId, rowId, first) };
  });
  const packed: PackedVersion[] = [];
  let depth = chain;
  for (const [index, { version, content }] of rows.slice(0, -1).entries()) {
    const next = rows[index + 1];
    const longest = Math.min(LONGEST_CHAIN, Math.floor(CHAIN_TEXT / (content.length + 1)));
    const newer = next && depth + 1 < longest ? next : null;
    packed.push(await packOne(version, content, newer));
    depth = newer === null ? 0 : depth + 1;
  }
  await project.database.write((db: RecordsDb) => storePacked(db, tenantId, rowId, packed));
  return packed.length;
}

async function packOne(
  version: number,
  content: string,
  newer: { version: number; content: string } | null,
): Promise<PackedVersion> {
  const text = newer?.content ?? null;
  const packed = await packText(content, text);
  if ((await unpackText(packed, text)) !== content) throw new Error(`version ${version} does not pack`);
  return { version, packed, deltaOf: newer?.version ?? null };
}
