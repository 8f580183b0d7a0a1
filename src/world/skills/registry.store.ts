import type { Kysely } from 'kysely';
import { parseSearchQuery } from '../../content/search-text.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import type { SkillColumns } from './skill-rows.ts';
import type { SkillRow, SkillTables } from './skills.tables.ts';

export type SkillsDb = Kysely<SkillTables>;

export interface SkillFilter {
  category?: string | undefined;
  search?: string | undefined;
  featured?: boolean | undefined;
}

const rowsOf = (db: SkillsDb, tenantId: string) => inTenant(db, tenantId).selectFrom('agent_skills');

export const findSkill = (db: SkillsDb, tenantId: string, skillId: string): Promise<SkillRow | undefined> =>
  rowsOf(db, tenantId).selectAll().where('skill_id', '=', skillId).executeTakeFirst();

export async function findSkills(
  db: SkillsDb,
  tenantId: string,
  skillIds: readonly string[],
): Promise<Map<string, SkillRow>> {
  if (skillIds.length === 0) return new Map();
  const rows = await rowsOf(db, tenantId).selectAll().where('skill_id', 'in', skillIds).execute();
  return new Map(rows.map((row) => [row.skill_id, row]));
}

/** All phrases must be found; a text of mere punctuation finds nothing. */
function matching(db: SkillsDb, tenantId: string, { category, search = '', featured }: SkillFilter) {
  const phrases = parseSearchQuery(search);
  let rows = rowsOf(db, tenantId);
  if (category !== undefined) rows = rows.where('category', '=', category);
  if (featured) rows = rows.where('is_featured', '=', 1);
  if (search.trim() !== '' && phrases.length === 0) rows = rows.where('skill_id', '=', '');
  for (const { tokens, prefix } of phrases)
    rows = rows.where('words', 'like', `% ${tokens.join(' ')}${prefix ? '' : ' '}%`);
  return rows;
}

export const listSkills = (
  database: TenantDatabase,
  filter: SkillFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: SkillRow[] }> =>
  database.read(async (db: SkillsDb) => {
    const all = matching(db, database.tenantId, filter);
    const { total } = await all
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await all
      .selectAll()
      .orderBy('is_featured', 'desc')
      .orderBy('name')
      .orderBy('skill_id')
      .offset(offset)
      .limit(limit)
      .execute();
    return { total: Number(total), rows };
  });

export async function countSkills(db: SkillsDb, tenantId: string): Promise<number> {
  const { total } = await rowsOf(db, tenantId)
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Usage and the time of creation stay. */
export async function putSkill(
  database: TenantDatabase,
  db: SkillsDb,
  columns: SkillColumns,
  at: string,
): Promise<void> {
  const row: SkillRow = {
    ...columns,
    tenant_id: database.tenantId,
    usage_count: 0,
    created_at: at,
    updated_at: at,
  };
  const kept = ['tenant_id', 'skill_id', 'usage_count', 'created_at'];
  const update = Object.keys(row).filter((column) => !kept.includes(column));
  await database.dialect.upsert(db, 'agent_skills', [row], { conflict: ['tenant_id', 'skill_id'], update });
}

export async function deleteSkill(db: SkillsDb, tenantId: string, skillId: string): Promise<boolean> {
  const { numDeletedRows } = await inTenant(db, tenantId)
    .deleteFrom('agent_skills')
    .where('skill_id', '=', skillId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** False if there is no such skill. Holds its row until the transaction ends, so that installations come one by one. */
export async function countUse(db: SkillsDb, tenantId: string, skillId: string): Promise<boolean> {
  const { numUpdatedRows } = await inTenant(db, tenantId)
    .updateTable('agent_skills')
    .set(({ eb }) => ({ usage_count: eb('usage_count', '+', 1) }))
    .where('skill_id', '=', skillId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
