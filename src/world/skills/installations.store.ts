import type { TenantDatabase } from '../../platform/database/database.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import type { SkillsDb } from './registry.store.ts';
import type { InstallationRow } from './skills.tables.ts';

export interface InstallationScope {
  tenantId: string;
  scopeId: string;
}

const KEY = ['tenant_id', 'scope_id', 'skill_id'];

const rowsOf = (db: SkillsDb, { tenantId, scopeId }: InstallationScope) =>
  inTenant(db, tenantId).selectFrom('agent_skill_installations').where('scope_id', '=', scopeId);

export const listInstallations = (db: SkillsDb, scope: InstallationScope): Promise<InstallationRow[]> =>
  rowsOf(db, scope).selectAll().orderBy('installed_at').orderBy('skill_id').execute();

export const findInstallation = (
  db: SkillsDb,
  scope: InstallationScope,
  skillId: string,
): Promise<InstallationRow | undefined> =>
  rowsOf(db, scope).selectAll().where('skill_id', '=', skillId).executeTakeFirst();

export async function countInstallations(db: SkillsDb, scope: InstallationScope): Promise<number> {
  const { total } = await rowsOf(db, scope)
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** An installation that is there keeps its id, and who made it when. */
export async function putInstallation(
  { dialect }: TenantDatabase,
  db: SkillsDb,
  row: InstallationRow,
): Promise<void> {
  const update = ['enabled', 'source', 'source_url', 'updated_at', 'version'];
  await dialect.upsert(db, 'agent_skill_installations', [row], { conflict: KEY, update });
}

export async function setEnabled(
  db: SkillsDb,
  { tenantId, scopeId }: InstallationScope,
  skillId: string,
  change: { enabled: number; updated_at: string },
): Promise<void> {
  await inTenant(db, tenantId)
    .updateTable('agent_skill_installations')
    .set(change)
    .where('scope_id', '=', scopeId)
    .where('skill_id', '=', skillId)
    .execute();
}

export async function deleteInstallation(
  db: SkillsDb,
  { tenantId, scopeId }: InstallationScope,
  skillId: string,
): Promise<boolean> {
  const { numDeletedRows } = await inTenant(db, tenantId)
    .deleteFrom('agent_skill_installations')
    .where('scope_id', '=', scopeId)
    .where('skill_id', '=', skillId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
