import { CANON_SETTINGS_PATH, readCanonSettings } from '../../content/canon/settings.ts';
import { type FixKind, fixEntity } from '../../content/fixes/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import { invalid } from '../../kit/errors.ts';
import {
  type ChangesetRequest,
  type Changesets,
  type OperationReport,
  readFileText,
  type Step,
} from '../changesets/index.ts';
import { requireType, type TemplateRegistry } from '../definitions/index.ts';
import type { Author } from '../entities/index.ts';
import { missingEntity, type Project } from '../records/index.ts';
import { type ChangeSource, folderNameOf } from '../texts/index.ts';
import { createFixTally, type FixPlan } from './fix-tally.ts';
import { knownEntities } from './known-entities.ts';

export interface FixRequest {
  /** Null for all types, or all entities of a type. */
  entityType: string | null;
  entityId: string | null;
  /** Null for all safe kinds. */
  kinds: readonly FixKind[] | null;
  removeDangling: boolean;
}

export interface FixReport extends FixPlan {
  operation_id: string | null;
  skipped: OperationReport['skipped'];
  skipped_total: number;
}

type Tally = ReturnType<typeof createFixTally>;

const STEPS_PAGE = 500;

/** Makes the safe fixes as one operation with one undo (spec 1 §4.4). */
export function createFixes({
  registry,
  changesets,
}: {
  registry: TemplateRegistry;
  changesets: Changesets;
}) {
  /** Reads one file after another and gives requests a turn in between. */
  async function* stepsOf(
    project: Project,
    request: FixRequest,
    tally: Tally,
    isPreview: boolean,
  ): AsyncGenerator<Step> {
    const { types } = await registry.of(project);
    const { known, places } = await knownEntities(project, types.keys());
    const options = {
      kinds: request.kinds && new Set(request.kinds),
      removeDangling: request.removeDangling,
      hasRealCalendar: await hasRealCalendar(project),
      isPreview,
      known,
    };
    for (const place of places(request.entityType)) {
      const { entity_type, entity_id, path } = place;
      const template = types.get(entity_type);
      if (template === undefined || (request.entityId !== null && request.entityId !== entity_id)) continue;
      const read = await readFileText(project, path);
      if (read === undefined) continue;
      if (!read.ok) {
        tally.entity(place, unreadable(read.problem));
        continue;
      }
      const fixed = fixEntity(template, { text: read.text, folderId: folderNameOf(path) }, options);
      tally.entity(place, fixed);
      if (fixed.text !== read.text) {
        yield { kind: 'write', entity_type, entity_id, base: read.text, text: fixed.text };
      }
    }
  }

  async function requireSubject(project: Project, { entityType, entityId }: FixRequest): Promise<void> {
    const set = await registry.of(project);
    if (entityType !== null) requireType(set, entityType);
    else if (entityId !== null) {
      throw invalid('entity_id alone does not name an entity: send its entity_type too', {
        errors: [{ field: 'entity_type', message: 'is required with entity_id' }],
      });
    }
  }

  function requireFound({ entityType, entityId }: FixRequest, { entities_checked }: FixPlan): void {
    if (entityType === null || entityId === null || entities_checked > 0) return;
    throw missingEntity(entityType, entityId);
  }

  return {
    /** Returns the planned fixes; changes nothing. 404 for an unknown type or entity. */
    async plan(project: Project, request: FixRequest): Promise<FixReport> {
      await requireSubject(project, request);
      const tally = createFixTally();
      for await (const _step of stepsOf(project, request, tally, true)) {
        // The loop runs only for the tally.
      }
      requireFound(request, tally.plan());
      return { ...tally.plan(), operation_id: null, skipped: [], skipped_total: 0 };
    },

    /** Makes the safe fixes. A file with a concurrent change in the same place is skipped and listed. */
    async fix(
      project: Project,
      request: FixRequest,
      author: Author,
      source: ChangeSource = 'api',
      onBegin?: ChangesetRequest['onBegin'],
    ): Promise<FixReport> {
      await requireSubject(project, request);
      const tally = createFixTally();
      const operation = await changesets.applyUnlessEmpty(project, {
        kind: 'fix',
        label: labelOf(request),
        author,
        source,
        steps: stepsOf(project, request, tally, false),
        onBegin,
      });
      if (operation === null) {
        requireFound(request, tally.plan());
        return { ...tally.plan(), operation_id: null, skipped: [], skipped_total: 0 };
      }
      for await (const skipped of skippedOf(project, operation)) tally.skipped(skipped);
      const { operation_id, skipped, skipped_total } = operation;
      return { ...tally.plan(), operation_id, skipped, skipped_total };
    },
  };

  async function* skippedOf(project: Project, { operation_id, total, skipped_total }: OperationReport) {
    if (skipped_total === 0) return;
    for (let offset = 0; offset < total; offset += STEPS_PAGE) {
      const steps = await changesets.steps(project, operation_id, STEPS_PAGE, offset);
      yield* steps.filter(({ state }) => state === 'skipped');
    }
  }
}

export type Fixes = ReturnType<typeof createFixes>;

function unreadable({ line, reason }: { line: number; reason: string }) {
  return { text: '', fixes: [], unfixable: [{ field: null, kind: null, value: null, line, reason }] };
}

function labelOf({ entityType, entityId }: FixRequest): string {
  if (entityType === null) return 'Fix all entities';
  return entityId === null ? `Fix all entities of ${entityType}` : `Fix ${entityType} ${entityId}`;
}

/** A world with a calendar of its own, or an unreadable one, keeps its dates as they are. */
async function hasRealCalendar(project: Project): Promise<boolean> {
  const read = await readFileText(project, CANON_SETTINGS_PATH);
  if (read === undefined) return true;
  const document = read.ok ? readDocument(read.text) : null;
  return document?.ok === true && readCanonSettings(document.data).settings.declared === null;
}
