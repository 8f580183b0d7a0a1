import type { Kysely } from 'kysely';
import { inTenant } from '../../platform/database/scoped.ts';
import type { RecordTables } from './records.tables.ts';
import type { RevisionRow } from './revisions.store.ts';

/** The longest chain of deltas, and so the distance between versions that are packed in full. */
export const LONGEST_CHAIN = 32;

/** A kept version and the newer ones needed to read it, each a delta to the next, the last in full. Empty if there is none. */
export async function revisionChain(
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  version: number,
): Promise<RevisionRow[]> {
  const chainFrom = (from: number, limit: number) =>
    inTenant(db, tenantId)
      .selectFrom('entity_revisions')
      .selectAll()
      .where('row_id', '=', rowId)
      .where('version', '>=', from)
      .orderBy('version')
      .limit(limit)
      .execute();
  const [first] = await chainFrom(version, 1);
  if (first?.version !== version) return [];
  if (first.delta_of === null) return [first];
  const newer = await chainFrom(first.delta_of, LONGEST_CHAIN);
  const end = newer.findIndex((row) => row.delta_of === null);
  return [first, ...newer.slice(0, end + 1)];
}

/** Entities of a tenant with many versions in plain text: row ids and numbers of versions. */
export const crowdedHistories = (
  db: Kysely<RecordTables>,
  tenantId: string,
  range: { from: number; until: number },
  least: number,
) =>
  inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select((eb) => ['row_id', eb.fn.countAll<number>().as('plain')])
    .where('row_id', '>=', range.from)
    .where('row_id', '<', range.until)
    .where('packed', 'is', null)
    .groupBy('row_id')
    .having((eb) => eb.fn.countAll<number>(), '>=', least)
    .orderBy('row_id')
    .execute();

export const plainVersions = (db: Kysely<RecordTables>, tenantId: string, rowId: number, limit: number) =>
  inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select(['version', 'content'])
    .where('row_id', '=', rowId)
    .where('packed', 'is', null)
    .orderBy('version')
    .limit(limit)
    .execute();

/** Counts the newest packed versions that are deltas, back to the last one in full. */
export async function chainBefore(
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  version: number,
): Promise<number> {
  const rows = await inTenant(db, tenantId)
    .selectFrom('entity_revisions')
    .select('delta_of')
    .where('row_id', '=', rowId)
    .where('version', '<', version)
    .orderBy('version', 'desc')
    .limit(LONGEST_CHAIN)
    .execute();
  const end = rows.findIndex((row) => row.delta_of === null);
  return end < 0 ? rows.length : end;
}

export interface PackedVersion {
  version: number;
  packed: Uint8Array;
  deltaOf: number | null;
}

export async function storePacked(
  db: Kysely<RecordTables>,
  tenantId: string,
  rowId: number,
  versions: readonly PackedVersion[],
): Promise<void> {
  for (const { version, packed, deltaOf } of versions) {
    await inTenant(db, tenantId)
      .updateTable('entity_revisions')
      .set({ content: '', packed, delta_of: deltaOf })
      .where('row_id', '=', rowId)
      .where('version', '=', version)
      .where('packed', 'is', null)
      .execute();
  }
}
