import { PLANS } from '../../access/plans.ts';
import { isEntityId } from '../../content/entity/index.ts';
import {
  addToTotals,
  type ImportTotals,
  type Refusal,
  type UntypedNote,
} from '../../content/import/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { conflict, invalid, limitReached, notFound } from '../../kit/errors.ts';
import type { ChangesetRequest, Changesets, OperationReport } from '../changesets/index.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { type Author, type Entities, requireSize } from '../entities/index.ts';
import type { AskedModel, Models } from '../models/index.ts';
import {
  countTenantEntities,
  findEntityRow,
  type Project,
  type RecordsDb,
  type StorageRoom,
} from '../records/index.ts';
import type { ImportFile } from './import-file.ts';
import { findReport, keepReport } from './imports.store.ts';
import {
  emptyPlan,
  type ImportOptions,
  type NotesPlan,
  type PlannedNote,
  type PlanProgress,
  planNotes,
  refuse,
} from './plan-notes.ts';
import { planText, type TextImport } from './plan-text.ts';
import { createMappingProposals, type ProposedMapping } from './propose-mapping.ts';

export interface ImportDependencies {
  templates: TemplateRegistry;
  entities: Entities;
  changesets: Changesets;
  room: StorageRoom;
  models: Models;
  clock: Clock;
}

export interface ImportRequest extends ImportOptions {
  files: readonly ImportFile[];
  /** Entries that could not be read as files, such as links in an archive. */
  refused?: readonly Refusal[];
  /** The source, for people: `vault.zip`. */
  origin?: string;
}

export interface ImportResult {
  totals: ImportTotals;
  notes: PlannedNote[];
  refused: Refusal[];
  /** The notes that a chosen type would bring in. */
  untyped: UntypedNote[];
  /** Null if nothing was written. */
  operation: OperationReport | null;
}

export interface ImportHooks {
  onPlan?: PlanProgress;
  onBegin?: ChangesetRequest['onBegin'];
  onProgress?(progress: { done: number; total: number }): void;
}

export type Imports = ReturnType<typeof createImports>;

const KEEP_REPORTS_MS = 30 * 24 * 3_600_000;

function labelOf({ steps }: NotesPlan, from: string): string {
  const count = steps.filter(({ kind }) => kind !== 'asset').length;
  return count === 0 ? `Import${from}` : `Import of ${count} ${count === 1 ? 'entity' : 'entities'}${from}`;
}

const reportOf = ({ steps: _steps, ...report }: NotesPlan) => report;

const bytesOfAssets = ({ steps }: NotesPlan): number =>
  steps.reduce((sum, step) => sum + (step.kind === 'asset' ? step.bytes.byteLength : 0), 0);

/** Imports content of other tools into a project: planned in memory, then written as one operation with an undo. */
export function createImports({ templates, entities, changesets, room, models, clock }: ImportDependencies) {
  const propose = createMappingProposals(models);

  /** Returns the plan of an import; nothing is written. 404 for a type that the project does not have. */
  async function plan(
    project: Project,
    request: ImportRequest,
    onProgress?: PlanProgress,
  ): Promise<NotesPlan> {
    const asked = [request.entityType, request.defaultType, ...(request.types?.values() ?? [])];
    for (const type of new Set(asked)) if (typeof type === 'string') await entities.templateOf(project, type);
    const { types } = await templates.of(project);
    const world = { project, templates: types, today: isoDate(clock.now()), onProgress };
    const made = await planNotes(world, request.files, request);
    for (const refusal of request.refused ?? []) refuse(made, refusal);
    return made;
  }

  /** Throws 402 if the plan has no room for all new entities, before anything is written. */
  async function requireRoom(project: Project, made: NotesPlan, author: Author): Promise<void> {
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

  /** Stores an import's report, for callers that did not wait for it. */
  function keep(project: Project, operationId: string, made: NotesPlan) {
    const at = clock.now();
    return keepReport(project, {
      operationId,
      report: JSON.stringify(reportOf(made)),
      at: isoTime(at),
      keepFrom: isoTime(at - KEEP_REPORTS_MS),
    });
  }

  /** Plans within the operation, so that callers can poll it from the start; null if there was nothing to write. */
  async function apply(
    project: Project,
    planned: () => Promise<NotesPlan>,
    { author, origin, hooks }: { author: Author; origin: string | undefined; hooks: ImportHooks },
  ): Promise<{ made: NotesPlan; operation: OperationReport | null }> {
    let made = emptyPlan();
    let held: { release(): Promise<void> } | null = null;
    const from = origin ? ` from ${origin}` : '';
    async function* steps(operationId: string) {
      made = await planned();
      await requireRoom(project, made, author);
      const bytes = bytesOfAssets(made);
      held = bytes > 0 ? await room.hold(project, author.plan, bytes) : null;
      if (made.steps.length > 0) await keep(project, operationId, made);
      yield* made.steps;
    }
    const release = () => held?.release();
    try {
      const operation = await changesets.applyUnlessEmpty(project, {
        kind: 'import',
        label: () => labelOf(made, from),
        author,
        source: 'import',
        steps,
        onBegin: hooks.onBegin,
        ...(hooks.onProgress && { onProgress: hooks.onProgress }),
      });
      return { made, operation };
    } finally {
      await release();
    }
  }

  return {
    plan,

    /** The report of an import of the last 30 days as JSON text, and its operation. 404 if there is none. */
    async report(
      project: Project,
      operationId: string,
    ): Promise<{ report: string; operation: OperationReport }> {
      const operation = await changesets.get(project, operationId);
      const report = await findReport(project, operationId);
      if (report === undefined)
        throw notFound('There is no report for this operation: it was not an import, or is too old', {
          code: 'no_such_report',
        });
      return { report, operation };
    },

    /** Imports, or with `dryRun` only returns the plan. */
    async run(
      project: Project,
      request: ImportRequest,
      author: Author,
      options: { dryRun?: boolean } & ImportHooks = {},
    ): Promise<ImportResult> {
      const planned = () => plan(project, request, options.onPlan);
      if (options.dryRun) {
        const made = await planned();
        await requireRoom(project, made, author);
        return { ...reportOf(made), operation: null };
      }
      const { made, operation } = await apply(project, planned, {
        author,
        origin: request.origin,
        hooks: options,
      });
      return { ...reportOf(made), operation };
    },

    /** Has a model propose fields for what the mapper leaves aside. Nothing is written. */
    async propose(
      project: Project,
      request: ImportRequest,
      asked: AskedModel,
    ): Promise<ImportResult & { proposed: ProposedMapping }> {
      const { types } = await templates.of(project);
      const planning = { templates: types, plan: (tried: ImportRequest) => plan(project, tried) };
      const { plan: made, proposed } = await propose(planning, request, asked);
      return { ...reportOf(made), operation: null, proposed };
    },

    /** Imports one markdown text as an entity, unchanged. 409 if it exists and no mode is given; 422 for an unreadable text. */
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
      requireSize(request.content, project);
      const template = await entities.templateOf(project, entityType);
      const pathOf = async (id: string) =>
        (await project.database.read((db: RecordsDb) => findEntityRow(db, project, entityType, id)))?.path;
      const world = { project, template, pathOf, today: isoDate(clock.now()) };
      const { note, steps } = await planText(world, request);
      const made = { ...emptyPlan(), notes: [note], steps };
      addToTotals(made.totals, note.action, note.kept.length, note);
      const { operation } = await apply(project, async () => made, { author, origin: undefined, hooks: {} });
      const skipped = operation?.skipped[0];
      if (skipped?.entity_id === note.entity_id)
        throw conflict(`${note.entity_type} '${note.entity_id}' was not imported: ${skipped.reason}`, {
          code: 'not_applied',
        });
      return { note, operation };
    },
  };
}
