import { inProject } from '../../platform/database/scoped.ts';
import type { Scope } from '../records/index.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';

export type AssetBrief = Pick<
  AssetRow,
  'asset_id' | 'path' | 'sha256' | 'size_bytes' | 'width' | 'height' | 'perceptual_hash'
>;

const BRIEF = ['asset_id', 'path', 'sha256', 'size_bytes', 'width', 'height', 'perceptual_hash'] as const;

const live = (db: AssetDb, scope: Scope) =>
  inProject(db, scope).selectFrom('assets').where('gone_at', 'is', null);

const repeated = (db: AssetDb, scope: Scope) =>
  live(db, scope)
    .where('size_bytes', '>', 0)
    .groupBy('sha256')
    .having((eb) => eb.fn.countAll(), '>', 1);

/** Hashes of several assets, ordered by wasted bytes. */
export const repeatedHashes = (db: AssetDb, scope: Scope, offset: number, limit: number) =>
  repeated(db, scope)
    .select((eb) => [
      'sha256',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max<number>('size_bytes').as('size_bytes'),
    ])
    .orderBy((eb) => eb(eb(eb.fn.countAll(), '-', eb.lit(1)), '*', eb.fn.max('size_bytes')), 'desc')
    .orderBy('sha256')
    .offset(offset)
    .limit(limit)
    .execute();

export async function countRepeatedHashes(db: AssetDb, scope: Scope): Promise<number> {
  const row = await db
    .selectFrom(repeated(db, scope).select('sha256').as('hashes'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

export const assetsWith = (
  db: AssetDb,
  scope: Scope,
  column: 'sha256' | 'perceptual_hash',
  values: readonly string[],
): Promise<AssetBrief[]> =>
  values.length === 0
    ? Promise.resolve([])
    : live(db, scope).select(BRIEF).where(column, 'in', values).orderBy('path').limit(5_000).execute();

export const perceptualHashes = (db: AssetDb, scope: Scope, after: string, limit: number) =>
  live(db, scope)
    .select((eb) => [
      eb.ref('perceptual_hash').$castTo<string>().as('perceptual_hash'),
      eb.fn.count<number>('sha256').distinct().as('contents'),
    ])
    .where('perceptual_hash', '>', after)
    .groupBy('perceptual_hash')
    .orderBy('perceptual_hash')
    .limit(limit)
    .execute();

export async function countUnmeasured(db: AssetDb, scope: Scope): Promise<number> {
  const row = await live(db, scope)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('kind', '=', 'image')
    .where('measured', 'is', null)
    .executeTakeFirstOrThrow();
  return row.total;
}
