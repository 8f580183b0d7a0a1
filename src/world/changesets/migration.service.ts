import { compiled } from '../../content/entity/compiled.ts';
import { DocumentError } from '../../content/frontmatter/index.ts';
import { countChangedLines } from '../../content/merge/index.ts';
import { type FieldChange, migrateEntity, migrateTemplate } from '../../content/migration/index.ts';
import { type TemplateDefinition, templateTypeOfName } from '../../content/template/index.ts';
import { invalid } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { Author, Entities } from '../entities/index.ts';
import { type Project, unreadableFile } from '../records/index.ts';
import type { Changesets } from './changesets.service.ts';
import { readFileText } from './file-text.ts';
import { entitiesOfType } from './migration.store.ts';
import { createMigrationTally, type MigrationPlan, type RequestedChange } from './migration-tally.ts';
import type { ChangesetRequest } from './operation-runs.ts';
import type { OperationReport } from './report.ts';
import type { Step } from './step.ts';

export interface MigrationRequest {
  /** The type, or its template's name. */
  name: string;
  changes: RequestedChange[];
  updateTemplate: boolean;
}

export type Migrations = ReturnType<typeof createMigrations>;

/** Names that people and all YAML parsers can read. */
const FIELD_NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u;

/** Keys that the service itself reads from an entity's file. */
const OWN_KEYS: ReadonlySet<string> = new Set(['id', 'name', 'title', 'status', 'entity_type']);

/** Changes entities after a change of their template's fields, as one operation (decisions "Routes of our own"). */
export function createMigrations({ entities, changesets }: { entities: Entities; changesets: Changesets }) {
  async function* stepsOf(
    project: Project,
    request: MigrationRequest,
    tally: ReturnType<typeof createMigrationTally>,
  ): AsyncGenerator<Step> {
    const template = await entities.templateOf(project, templateTypeOfName(request.name));
    const changes = checkedChanges(template, request.changes);
    if (request.updateTemplate) yield* templateStep(project, template, changes, tally);
    const order = template.fields.map(({ name }) => name);
    const pause = createPauses();
    for await (const { entity_type, entity_id, path } of entitiesOfType(project, template.entity_type)) {
      await pause();
      const read = await readFileText(project, path);
      if (read === undefined) continue;
      if (!read.ok) {
        tally.unreadable({ path, line: read.problem.line, reason: read.problem.reason });
        continue;
      }
      try {
        const { text, effects } = migrateEntity(read.text, changes, order);
        tally.entity({ entity_id, path }, effects, countChangedLines(read.text, text));
        if (text !== read.text) yield { kind: 'write', entity_type, entity_id, base: read.text, text };
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        tally.unreadable({ path, line: error.problem.line, reason: error.problem.reason });
      }
    }
  }

  async function* templateStep(
    project: Project,
    template: TemplateDefinition,
    changes: readonly FieldChange[],
    tally: ReturnType<typeof createMigrationTally>,
  ): AsyncGenerator<Step> {
    const { path, entity_type } = template;
    const read = await readFileText(project, path);
    if (!read?.ok) throw unreadableFile(`${path} cannot be read: fix it first`);
    try {
      const text = migrateTemplate(read.text, changes);
      tally.template(path, countChangedLines(read.text, text));
      if (text !== read.text) yield { kind: 'template', entity_type, base: read.text, text };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const { line, reason } = error.problem;
      throw unreadableFile(`${path} cannot be changed (line ${line}: ${reason}): fix it first`, [
        { path, reason, line },
      ]);
    }
  }

  return {
    /** Returns the changes of a migration with samples; changes nothing. */
    async plan(project: Project, request: MigrationRequest): Promise<MigrationPlan> {
      const tally = createMigrationTally(request.changes);
      for await (const _step of stepsOf(project, request, tally)) {
        // The loop runs only for the tally.
      }
      return tally.plan();
    },

    /** Changes every file of the type; values that cannot be converted stay and are listed. 422 for impossible changes. */
    async migrate(
      project: Project,
      request: MigrationRequest,
      author: Author,
      onBegin?: ChangesetRequest['onBegin'],
    ): Promise<MigrationPlan & { operation: OperationReport }> {
      const tally = createMigrationTally(request.changes);
      const operation = await changesets.apply(project, {
        kind: 'migration',
        label:
          `Migrate ${templateTypeOfName(request.name)}: ${request.changes.map(labelOf).join(', ')}`.slice(
            0,
            300,
          ),
        author,
        source: 'api',
        onBegin,
        steps: stepsOf(project, request, tally),
      });
      return { ...tally.plan(), operation };
    },
  };
}

function labelOf(change: RequestedChange): string {
  if (change.kind === 'rename') return `rename ${change.field} to ${change.to}`;
  return change.kind === 'retype' ? `make ${change.field} ${change.type}` : `${change.kind} ${change.field}`;
}

/** 422 for unknown fields and invalid names. An added field gets the template's default unless a value is given. */
function checkedChanges(template: TemplateDefinition, changes: readonly RequestedChange[]): FieldChange[] {
  const { byName, hidden } = compiled(template);
  const errors = changes.flatMap((change, index) => {
    const at = (key: string, message: string) => ({ field: `changes.${index}.${key}`, message });
    const isOwn = (name: string) => hidden.has(name) || OWN_KEYS.has(name);
    if (isOwn(change.field))
      return [at('field', `'${change.field}' belongs to every entity and is no field`)];
    if (change.kind === 'add' && !FIELD_NAME.test(change.field)) {
      return [at('field', 'must be letters, digits, underscores and hyphens')];
    }
    if (change.kind !== 'rename') return [];
    if (isOwn(change.to)) return [at('to', `'${change.to}' belongs to every entity and is no field`)];
    if (change.to === change.field) return [at('to', 'is the current name')];
    return FIELD_NAME.test(change.to) ? [] : [at('to', 'must be letters, digits, underscores and hyphens')];
  });
  const [first] = errors;
  if (first) throw invalid(`${first.field} ${first.message}`, { code: 'invalid_changes', errors });
  const defaultOf = (field: string): unknown => byName.get(field)?.default ?? null;
  return changes.map((change) =>
    change.kind === 'add'
      ? { ...change, value: change.value === undefined ? defaultOf(change.field) : change.value }
      : change,
  );
}
