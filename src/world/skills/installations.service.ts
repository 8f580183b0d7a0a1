import type { PlanName } from '../../access/plans.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, forbidden, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { EnabledSkillReply, InstallationReply, SOURCES } from './agent-skills.contract.ts';
import {
  countInstallations,
  deleteInstallation,
  findInstallation,
  type InstallationScope,
  listInstallations,
  putInstallation,
  setEnabled,
} from './installations.store.ts';
import { missingSkill, type Registry, requireSkillId } from './registry.service.ts';
import { countUse, findSkill, findSkills, type SkillsDb } from './registry.store.ts';
import { isInPlan, recordOfRow } from './skill-rows.ts';
import type { InstallationRow, SkillRow } from './skills.tables.ts';

export interface SkillCaller {
  tenantId: string;
  userId: string;
  plan: PlanName;
}

export interface InstallRequest {
  skill_id: string;
  source?: (typeof SOURCES)[number] | undefined;
  source_url?: string | null | undefined;
}

/** Of a scope: each skill once. */
const MOST_INSTALLED = 1_000;

export interface InstallationsOptions {
  registry: Registry;
  clock: Clock;
  /** In the cloud everybody of a tenant shares installations, else a user has their own. */
  sharedBy: 'tenant' | 'user';
}

/** Installs skills, and enables and disables what is installed (spec 2 §2.2, §3). */
export function createInstallations({ registry, clock, sharedBy }: InstallationsOptions) {
  const now = () => isoTime(clock.now());
  const scopeOf = ({ tenantId, userId }: SkillCaller): InstallationScope => ({
    tenantId,
    scopeId: sharedBy === 'tenant' ? tenantId : userId,
  });

  /** The caller's installations, each with its record, which is undefined if the registry has it no longer. */
  async function all(caller: SkillCaller): Promise<{ row: InstallationRow; record: SkillRow | undefined }[]> {
    const scope = scopeOf(caller);
    const tenant = await registry.of(caller.tenantId);
    return tenant.read(async (db: SkillsDb) => {
      const rows = await listInstallations(db, scope);
      const skillIds = rows.map(({ skill_id }) => skill_id);
      const records = await findSkills(db, caller.tenantId, skillIds);
      return rows.map((row) => ({ row, record: records.get(row.skill_id) }));
    });
  }

  async function change(caller: SkillCaller, given: string, enabled: boolean): Promise<InstallationReply> {
    const skillId = requireSkillId(given);
    const scope = scopeOf(caller);
    const tenant = await registry.of(caller.tenantId);
    const row = await tenant.write(async (db: SkillsDb) => {
      await setEnabled(db, scope, skillId, { enabled: enabled ? 1 : 0, updated_at: now() });
      return findInstallation(db, scope, skillId);
    });
    if (row === undefined) throw notInstalled(skillId);
    return installationReply(row);
  }

  return {
    all,
    enable: (caller: SkillCaller, skillId: string) => change(caller, skillId, true),
    disable: (caller: SkillCaller, skillId: string) => change(caller, skillId, false),

    async list(caller: SkillCaller, enabledOnly: boolean): Promise<InstallationReply[]> {
      const installed = await all(caller);
      return installed
        .filter(({ row }) => !enabledOnly || row.enabled === 1)
        .map(({ row }) => installationReply(row));
    },

    /** Those that are in the caller's plan and in the registry. */
    async enabled(caller: SkillCaller): Promise<EnabledSkillReply[]> {
      const installed = await all(caller);
      return installed.flatMap(({ row, record }) => {
        if (row.enabled !== 1 || record === undefined || !isInPlan(caller.plan, record.min_tier)) return [];
        const { installation_id, skill_id, enabled, source, installed_at } = installationReply(row);
        const { definition, prompt_template, parameters } = recordOfRow(record);
        return [
          {
            installation_id,
            skill_id,
            enabled,
            source,
            installed_at,
            definition,
            prompt_template,
            parameters,
          },
        ];
      });
    },

    /** 404 for an unknown skill, 403 for one above the caller's plan. */
    async install(caller: SkillCaller, request: InstallRequest): Promise<InstallationReply> {
      const skillId = requireSkillId(request.skill_id);
      const scope = scopeOf(caller);
      const tenant = await registry.of(caller.tenantId);
      const row = await tenant.write(async (db: SkillsDb) => {
        const record = (await countUse(db, scope.tenantId, skillId))
          ? await findSkill(db, scope.tenantId, skillId)
          : undefined;
        if (record === undefined) throw missingSkill(skillId);
        if (!isInPlan(caller.plan, record.min_tier)) throw aboveThePlan(record, caller.plan);
        await putInstallation(tenant, db, newInstallation(caller, scope, record, request, now()));
        if ((await countInstallations(db, scope)) > MOST_INSTALLED) throw tooMany();
        return findInstallation(db, scope, skillId);
      });
      if (row === undefined) throw notInstalled(skillId);
      return installationReply(row);
    },

    async uninstall(caller: SkillCaller, given: string): Promise<void> {
      const skillId = requireSkillId(given);
      const tenant = await registry.of(caller.tenantId);
      const gone = await tenant.write((db: SkillsDb) => deleteInstallation(db, scopeOf(caller), skillId));
      if (!gone) throw notInstalled(skillId);
    },
  };
}

export type Installations = ReturnType<typeof createInstallations>;

function newInstallation(
  { userId }: SkillCaller,
  { tenantId, scopeId }: InstallationScope,
  record: SkillRow,
  { source = 'marketplace', source_url = null }: InstallRequest,
  at: string,
): InstallationRow {
  const { version } = recordOfRow(record).definition;
  return {
    tenant_id: tenantId,
    scope_id: scopeId,
    skill_id: record.skill_id,
    installation_id: newId(),
    enabled: 1,
    source,
    source_url,
    installed_by: userId,
    installed_at: at,
    updated_at: at,
    version: typeof version === 'string' ? version : null,
  };
}

const sourceOf = (text: string): InstallationReply['source'] =>
  text === 'template_pack' || text === 'local' ? text : 'marketplace';

const installationReply = (row: InstallationRow): InstallationReply => ({
  installation_id: row.installation_id,
  skill_id: row.skill_id,
  enabled: row.enabled === 1,
  source: sourceOf(row.source),
  source_url: row.source_url,
  installed_by: row.installed_by,
  installed_at: row.installed_at,
  updated_at: row.updated_at,
  version: row.version,
});

const notInstalled = (skillId: string) =>
  notFound(`Skill '${skillId}' is not installed`, { code: 'skill_not_installed' });

const aboveThePlan = ({ skill_id, min_tier }: SkillRow, plan: PlanName) =>
  forbidden(`Skill '${skill_id}' needs the ${min_tier} plan or above; yours is ${plan}`, {
    code: 'plan_too_low',
    body: { min_tier },
  });

const tooMany = () =>
  conflict(`${MOST_INSTALLED} skills are installed, which is the most: uninstall some first`, {
    code: 'too_many_skills',
  });
