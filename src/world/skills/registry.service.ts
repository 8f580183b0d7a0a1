import { isSkillId, recordOfSkill, type Skill, type SkillRecord } from '../../content/skills/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { badRequest, conflict, notFound } from '../../kit/errors.ts';
import { createRecent } from '../../kit/recent.ts';
import type { Database, TenantDatabase } from '../../platform/database/database.ts';
import type { AgentSkillReply, SkillWrite } from './agent-skills.contract.ts';
import {
  countSkills,
  deleteSkill,
  findSkill,
  findSkills,
  listSkills,
  putSkill,
  type SkillFilter,
  type SkillsDb,
} from './registry.store.ts';
import { columnsOf, skillReply } from './skill-rows.ts';

/** Of a tenant, shipped ones included. */
const MOST_SKILLS = 1_000;
/** Tenants whose shipped skills are known to be up to date, and for how long another process may have newer ones. */
const MOST_KNOWN = 10_000;
const KNOWN_FOR_MS = 3_600_000;

export const missingSkill = (skillId: string) =>
  notFound(`Skill '${skillId}' not found`, { code: 'skill_not_found' });

export function requireSkillId(text: string): string {
  if (isSkillId(text)) return text;
  throw badRequest(
    'Invalid skill_id format: up to 100 lower-case letters, digits and underscores, such as dialogue_polisher',
    { code: 'invalid_skill_id', errors: [{ field: 'skill_id', message: 'has an invalid format' }] },
  );
}

export interface RegistryOptions {
  database: Database;
  clock: Clock;
  /** The skills that the service brings along. */
  readShipped(): Promise<readonly Skill[]>;
}

/** Each tenant's registry (spec 2 §2.1). The shipped skills are rows like any other, brought up to date before the first use. */
export function createRegistry({ database, clock, readShipped }: RegistryOptions) {
  const now = () => isoTime(clock.now());
  let shipped: Map<string, ReturnType<typeof columnsOfShipped>> | undefined;
  /** Read when they are first needed: no start waits for them. */
  async function shippedColumns() {
    shipped ??= new Map((await readShipped()).map((skill) => [skill.skill_id, columnsOfShipped(skill)]));
    return shipped;
  }
  const { get: of } = createRecent({ load: seed, clock, forMs: KNOWN_FOR_MS, most: MOST_KNOWN });

  /** Rows that a tenant replaced stay theirs. */
  async function seed(tenantId: string): Promise<TenantDatabase> {
    const tenant = database.tenant(tenantId);
    const current = await shippedColumns();
    const findStale = async (db: SkillsDb) => {
      const rows = await findSkills(db, tenantId, [...current.keys()]);
      return [...current].flatMap(([skillId, columns]) => {
        const row = rows.get(skillId);
        const isStale = row === undefined || ![null, columns.shipped_print].includes(row.shipped_print);
        return isStale ? [columns] : [];
      });
    };
    const stale = await tenant.read(findStale);
    if (stale.length > 0)
      await tenant.write(async (db: SkillsDb) => {
        for (const columns of await findStale(db)) await putSkill(tenant, db, columns, now());
      });
    return tenant;
  }

  return {
    /** The tenant's database, in which the shipped skills are up to date. */
    of,

    async list(
      tenantId: string,
      filter: SkillFilter,
      page: { offset: number; limit: number },
    ): Promise<{ skills: AgentSkillReply[]; total: number; limit: number; offset: number }> {
      const { total, rows } = await listSkills(await of(tenantId), filter, page);
      return { skills: rows.map(skillReply), total, ...page };
    },

    async get(tenantId: string, given: string): Promise<AgentSkillReply> {
      const skillId = requireSkillId(given);
      const tenant = await of(tenantId);
      const row = await tenant.read((db: SkillsDb) => findSkill(db, tenantId, skillId));
      if (row === undefined) throw missingSkill(skillId);
      return skillReply(row);
    },

    /** Replaces the whole record. 409 if the registry is full. */
    async put(tenantId: string, write: SkillWrite): Promise<AgentSkillReply> {
      const skillId = requireSkillId(write.skill_id);
      const tenant = await of(tenantId);
      const { is_featured = false, is_builtin = false } = write;
      const columns = columnsOf(recordOfWrite(write), { is_featured, is_builtin, shipped_print: null });
      const row = await tenant.write(async (db: SkillsDb) => {
        const isNew = (await findSkill(db, tenantId, skillId)) === undefined;
        if (isNew && (await countSkills(db, tenantId)) >= MOST_SKILLS) throw tooMany();
        await putSkill(tenant, db, columns, now());
        return findSkill(db, tenantId, skillId);
      });
      if (row === undefined) throw missingSkill(skillId);
      return skillReply(row);
    },

    /** A shipped skill that was replaced becomes itself again; one that was not is refused with 409. */
    async remove(tenantId: string, given: string): Promise<void> {
      const skillId = requireSkillId(given);
      const tenant = await of(tenantId);
      const original = (await shippedColumns()).get(skillId);
      await tenant.write(async (db: SkillsDb) => {
        const row = await findSkill(db, tenantId, skillId);
        if (row && original && row.shipped_print !== null) throw isShipped(skillId);
        if (row && original) await putSkill(tenant, db, original, now());
        else if (!(await deleteSkill(db, tenantId, skillId))) throw missingSkill(skillId);
      });
    },
  };
}

export type Registry = ReturnType<typeof createRegistry>;

function columnsOfShipped(skill: Skill) {
  const record = recordOfSkill(skill);
  const flags = { is_featured: true, is_builtin: true };
  return columnsOf(record, { ...flags, shipped_print: sha256Hex(JSON.stringify({ record, ...flags })) });
}

const recordOfWrite = (write: SkillWrite): SkillRecord => ({
  skill_id: write.skill_id,
  name: write.name,
  description: write.description ?? '',
  category: write.category ?? null,
  tags: write.tags ?? [],
  definition: write.definition ?? {},
  prompt_template: write.prompt_template ?? '',
  parameters: write.parameters ?? {},
  min_tier: write.min_tier ?? 'free',
});

const tooMany = () =>
  conflict(`The registry holds ${MOST_SKILLS} skills, which is the most: remove some first`, {
    code: 'too_many_skills',
  });

const isShipped = (skillId: string) =>
  conflict(`Skill '${skillId}' is built in and stays in the registry: disable or uninstall it instead`, {
    code: 'builtin_skill',
  });
