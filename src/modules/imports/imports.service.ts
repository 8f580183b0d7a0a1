import { isEntityId } from '../../content/entity/index.ts';
import { addToTotals, type ImportTotals, noTotals, type Refusal } from '../../content/import/index.ts';
import { PLANS } from '../../content/plans.ts';
import { type Clock, isoDate } from '../../kit/clock.ts';
import { conflict, invalid, limitReached } from '../../kit/errors.ts';
import type { Changesets } from '../changesets/changesets.service.ts';
import type { OperationReport } from '../changesets/report.ts';
import type { Author, Entities } from '../entities/entities.service.ts';
import { countTenantEntities } from '../records/counts.store.ts';
import { findEntityRow } from '../records/entity-rows.store.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import type { StorageRoom } from '../records/storage-room.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import type { ImportFile } from './import-file.ts';
import {
  type ImportOptions,
  type ImportPlan,
  type PlannedNote,
  type PlanProgress,
  planImport,
  refuse,
} from './plan-import.ts';
import { planText, type TextImport } from './plan-text.ts';

export interface ImportDependencies {
  templates: TemplateRegistry;
  entities: Entities;
  changesets: Changesets;
  room: StorageRoom;
  clock: Clock;
}

export interface ImportRequest extends ImportOptions {
  files: readonly ImportFile[];
  /** What could not even be read as a file: a link in an archive, say. */
  refused?: readonly Refusal[];
  /** Where it comes from, for people: `vault.zip`. */
  origin?: string;
}

export interface ImportResult {
  totals: ImportTotals;
  notes: PlannedNote[];
  refused: Refusal[];
  /** Null where nothing was written. */
  operation: OperationReport | null;
}

export interface ImportHooks {
  onPlan?: PlanProgress;
  onProgress?(progress: { done: number; total: number }): void;
}

export type Imports = ReturnType<typeof createImports>;

const bytesOfAssets = ({ steps }: ImportPlan): number =>
  steps.reduce((sum, step) => sum + (step.kind === 'asset' ? step.bytes.byteLength : 0), 0);

/** Takes what others wrote into a project: planned in memory, then written as one operation that can be undone. */
export function createImports({ templates, entities, changesets, room, clock }: ImportDependencies) {
  /** What an import would do; nothing is written. 404 for a type that the project does not have. */
  async function plan(
    project: Project,
    request: ImportRequest,
    onProgress?: PlanProgress,
  ): Promise<ImportPlan> {
    for (const type of [request.entityType, request.defaultType])
      if (type !== undefined) await entities.templateOf(project, type);
    const { types } = await templates.of(project);
    const world = { project, templates: types, today: isoDate(clock.now()), onProgress };
    const made = await planImport(world, request.files, request);
    for (const refusal of request.refused ?? []) refuse(made, refusal);
    return made;
  }

  /** 402 where the plan has no room for all that would be made; nothing is written then. */
  async function requireRoom(project: Project, made: ImportPlan, author: Author): Promise<void> {
    const bytes = bytesOfAssets(made);
    if (bytes > 0) await room.require(project, author.plan, bytes);
    const limit = PLANS[author.plan].entities_limit;
    const more = made.totals.notes.create;
    if (limit < 0 || more === 0) return;
    const used = await project.database.read((db: RecordsDb) => countTenantEntities(db, project.tenantId));
    if (used + more <= limit) return;
    throw limitReached(
      `Nothing was imported: with ${more} more there would be ${used + more} entities, and your plan allows ${limit}`,
      { code: 'entity_limit' },
    );
  }

  async function apply(
    project: Project,
    made: ImportPlan,
    { author, origin, hooks }: { author: Author; origin: string | undefined; hooks: ImportHooks },
  ): Promise<OperationReport | null> {
    await requireRoom(project, made, author);
    if (made.steps.length === 0) return null;
    const entitiesMade = made.steps.filter(({ kind }) => kind !== 'asset').length;
    const bytes = bytesOfAssets(made);
    const held = bytes > 0 ? await room.hold(project, author.plan, bytes) : null;
    try {
      return await changesets.apply(project, {
        kind: 'import',
        label: `Import of ${entitiesMade} ${entitiesMade === 1 ? 'entity' : 'entities'}${origin ? ` from ${origin}` : ''}`,
        author,
        source: 'import',
        steps: made.steps,
        ...(hooks.onProgress && { onProgress: hooks.onProgress }),
      });
    } finally {
      await held?.release();
    }
  }

  return {
    plan,

    /** Imports, or with `dryRun` only says what it would do. */
    async run(
      project: Project,
      request: ImportRequest,
      author: Author,
      options: { dryRun?: boolean } & ImportHooks = {},
    ): Promise<ImportResult> {
      const made = await plan(project, request, options.onPlan);
      const { totals, notes, refused } = made;
      if (options.dryRun) await requireRoom(project, made, author);
      const operation = options.dryRun
        ? null
        : await apply(project, made, { author, origin: request.origin, hooks: options });
      return { totals, notes, refused, operation };
    },

    /**
     * Takes one markdown text in as an entity, as it stands. 409 where it is there already and no mode says what then;
     * 422 for what cannot be read.
     */
    async importText(
      project: Project,
      request: TextImport & { entityType: string },
      author: Author,
    ): Promise<{ note: PlannedNote; operation: OperationReport | null }> {
      const { entityType, entityId } = request;
      if (entityId !== undefined && !isEntityId(entityId)) {
        throw invalid(`The id '${entityId}' must be lower-case letters, digits and underscores`, {
          code: 'invalid_id',
          errors: [{ field: 'entity_id', message: 'must be lower-case letters, digits and underscores' }],
        });
      }
      const template = await entities.templateOf(project, entityType);
      const pathOf = async (id: string) =>
        (await project.database.read((db: RecordsDb) => findEntityRow(db, project, entityType, id)))?.path;
      const world = { project, template, pathOf, today: isoDate(clock.now()) };
      const { note, steps } = await planText(world, request);
      const made: ImportPlan = { notes: [note], refused: [], totals: noTotals(), steps };
      addToTotals(made.totals, note.action, note.kept.length, note);
      const operation = await apply(project, made, { author, origin: undefined, hooks: {} });
      const skipped = operation?.skipped[0];
      if (skipped?.entity_id === note.entity_id)
        throw conflict(`${note.entity_type} '${note.entity_id}' was not imported: ${skipped.reason}`, {
          code: 'not_applied',
        });
      return { note, operation };
    },
  };
}
