import { fitsLimit, PLANS, type PlanName } from '../../../access/plans.ts';
import { CORE_TYPES, STARTER_PACKS } from '../../../content/packs.ts';
import { type TemplateDefinition, titleOf } from '../../../content/template/index.ts';
import { type Clock, isoTime } from '../../../kit/clock.ts';
import { badRequest, forbidden, invalid } from '../../../kit/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import { countTenantEntities, type Project, type RecordsDb } from '../../records/index.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { requireType, unknownType } from '../templates/find-type.ts';
import { activatedTypes, activateTypes, deactivateType } from './activation.store.ts';
import { requirePack } from './require-pack.ts';

type Category = 'entity' | 'document' | 'core';

interface Caller {
  actor: string;
  plan: PlanName;
}

const isCore = (entityType: string): boolean => CORE_TYPES.includes(entityType);

/** As the specification defines core: a template that declares itself core does not get around the limit. */
function categoryOf(entityType: string, definition: TemplateDefinition | undefined): Category {
  if (isCore(entityType)) return 'core';
  return definition?.template_category === 'document' ? 'document' : 'entity';
}

const infoOf = (entityType: string, definition: TemplateDefinition | undefined, isActive: boolean) => ({
  entity_type: entityType,
  label: definition?.label ?? titleOf(entityType),
  description: definition?.description ?? '',
  category: categoryOf(entityType, definition),
  source: definition?.source ?? 'custom',
  is_active: isActive || isCore(entityType),
});

/** Only these need an activation and count against the plan's limit; a user's own types are theirs (spec 1 §2.4). */
const standardIn =
  ({ types }: TemplateSet) =>
  (names: readonly string[]): string[] =>
    names.filter((type) => types.get(type)?.source !== 'custom');

/** Throws 403 if the plan has no room for these types. */
const withinPlan =
  (set: TemplateSet, plan: PlanName, what: string) =>
  (active: readonly string[], coming: readonly string[]): void => {
    const limit = PLANS[plan].activation_limit;
    const standard = standardIn(set);
    const [count, more] = [standard(active).length, standard(coming).length];
    if (more === 0 || fitsLimit(limit, count, more)) return;
    throw forbidden(
      `The plan ${plan} allows ${limit} active types; ${count} are active and ${what} would add ${more}. Deactivate some or choose a larger plan`,
      { code: 'activation_limit' },
    );
  };

export interface ActivationOptions {
  registry: TemplateRegistry;
  database: Database;
  clock: Clock;
  isStorageConfigured: (tenantId: string) => Promise<boolean>;
}

/** Which types a project uses, within its plan (spec 1 §2.4, §2.5, §3, §8). */
export function createActivation(options: ActivationOptions) {
  const { registry, database, clock, isStorageConfigured } = options;
  const recordFor = (caller: Caller) => ({ at: isoTime(clock.now()), actor: caller.actor });

  return {
    async available(project: Project, category: Category | undefined) {
      const { types } = await registry.of(project);
      const active = new Set(await activatedTypes(project));
      const infos = [...types].map(([type, definition]) => infoOf(type, definition, active.has(type)));
      return category === undefined ? infos : infos.filter((info) => info.category === category);
    },

    async active(project: Project, plan: PlanName) {
      const active = standardIn(await registry.of(project))(await activatedTypes(project));
      return { active_types: active, core_types: [...CORE_TYPES], total_active: active.length, plan };
    },

    async activate(project: Project, entityType: string, caller: Caller) {
      const set = await registry.of(project);
      const definition = requireType(set, entityType);
      if (!isCore(entityType)) {
        const allow = withinPlan(set, caller.plan, `'${entityType}'`);
        await activateTypes(project, [entityType], recordFor(caller), allow);
      }
      return infoOf(entityType, definition, true);
    },

    async deactivate(project: Project, entityType: string) {
      if (isCore(entityType)) {
        throw badRequest(`'${entityType}' is a core type and always active`, { code: 'core_type' });
      }
      const set = await registry.of(project);
      const definition = set.types.get(entityType);
      // An activation outlives its template, so it can be revoked without one.
      const was = await deactivateType(project, entityType);
      if (!was && !definition) throw unknownType(set, entityType);
      return infoOf(entityType, definition, false);
    },

    packs: () => ({
      packs: STARTER_PACKS.map((pack) => ({
        ...pack,
        types: [...pack.types],
        type_count: pack.types.length,
      })),
    }),

    async activatePack(project: Project, packId: string, caller: Caller) {
      const pack = requirePack(packId);
      const set = await registry.of(project);
      const missing = pack.types.filter((type) => !set.types.has(type));
      if (missing.length > 0) {
        throw invalid(
          `The project lacks the templates of ${missing.join(', ')}: add them to _Templates and reload. Nothing was activated`,
          { code: 'missing_templates' },
        );
      }
      const wanted = pack.types.filter((type) => !isCore(type));
      const allow = withinPlan(set, caller.plan, `the pack ${packId}`);
      const { added, active } = await activateTypes(project, wanted, recordFor(caller), allow);
      return {
        pack_id: packId,
        project_id: project.projectId,
        newly_activated: added,
        total_active: standardIn(set)(active).length,
      };
    },

    async usage(tenantId: string, plan: PlanName) {
      const count = await database
        .tenant(tenantId)
        .read((db: RecordsDb) => countTenantEntities(db, tenantId));
      const limit = PLANS[plan].entities_limit;
      const fits = fitsLimit(limit, count);
      return {
        entities_count: count,
        entities_limit: limit,
        storage_configured: await isStorageConfigured(tenantId),
        plan,
        over_plan: limit < 0 ? 0 : Math.max(0, count - limit),
        can_create: fits,
        block_reason: fits
          ? null
          : `The plan ${plan} allows ${limit} entities and ${count} are there: delete some or choose a larger plan`,
      };
    },
  };
}

export type Activation = ReturnType<typeof createActivation>;
