import { unknownFields, withWholeMaps } from '../../content/entity/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate } from '../../kit/clock.ts';
import { HttpError, notFound } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import {
  type EntityRow,
  findEntityRow,
  missingEntity,
  NO_SUCH_ENTITY,
  type Project,
  type RecordsDb,
} from '../records/index.ts';
import type { Author } from './author.ts';
import { createBeforeHooks } from './before-hooks.ts';
import { createChanges, type Edit } from './change.service.ts';
import { createCreating, type NewEntityInput } from './create.service.ts';
import type { Saved } from './entity-commit.ts';
import { editEntity, requireUpdate, type UpdateInput } from './entity-edit.ts';
import { readEntity, refuseNeverRead } from './entity-files.ts';
import { withIdOfName } from './new-id.ts';
import type { ReconciledFile } from './reconcile-file.ts';
import type { ReferenceChecks } from './reference-checks.ts';
import { type ProjectSearch, searchProject, searchRows } from './search.store.ts';

export interface EntitiesDependencies {
  templates: TemplateRegistry;
  clock: Clock;
  checks: ReferenceChecks;
}

type SearchInput = Omit<ProjectSearch, 'knownTypes'>;

export type Entities = ReturnType<typeof createEntities>;

export function createEntities({ templates, clock, checks }: EntitiesDependencies) {
  const hooks = createBeforeHooks();
  const creating = createCreating({ checks, hooks, clock });
  const changes = createChanges({
    findRow: (project, { entity_type, entity_id }) => findRow(project, entity_type, entity_id),
    hooks,
    clock,
  });

  const typesOf = async (project: Project) => (await templates.of(project)).types;

  async function templateOf(project: Project, entityType: string): Promise<TemplateDefinition> {
    const { types } = await templates.knowing(project, [entityType]);
    const template = types.get(entityType);
    if (template) return template;
    throw notFound(`There is no entity type '${entityType}' in this project: add a template to define it`, {
      code: 'unknown_type',
    });
  }

  /** Returns warnings for given fields that the template does not know, since they may be typing errors. */
  async function warningsOf(project: Project, entityType: string, input: Pick<UpdateInput, 'fields'>) {
    const template = await templateOf(project, entityType);
    const { fields = {} } = withWholeMaps(template, {}, input);
    return unknownFields(template, fields).map(({ field, message }) => ({ field, message }));
  }

  async function withTypes(project: Project, query: SearchInput): Promise<ProjectSearch> {
    for (const type of query.entityTypes ?? []) await templateOf(project, type);
    return { ...query, knownTypes: await typesOf(project) };
  }

  /** JSON texts, best first. */
  async function search(project: Project, query: SearchInput) {
    const search = await withTypes(project, query);
    return query.phrases.length === 0 ? [] : searchProject(project, search);
  }

  /** Row ids, best first. */
  async function searchIds(project: Project, query: SearchInput) {
    const search = await withTypes(project, query);
    if (query.phrases.length === 0) return [];
    return project.database.read((db: RecordsDb) => searchRows(db, project, search));
  }

  const findRow = async (project: Project, entityType: string, entityId: string): Promise<EntityRow> => {
    const row = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, entityType, entityId),
    );
    if (row) return row;
    throw missingEntity(entityType, entityId);
  };

  /** 402 over the plan's limit, 409 for a used id, 422 for invalid values. */
  async function create(
    project: Project,
    entityType: string,
    input: NewEntityInput,
    author: Author,
  ): Promise<Saved> {
    const template = await templateOf(project, entityType);
    const whole = withWholeMaps(template, {}, input);
    requireUpdate(template, whole);
    const { entity_id: given } = whole;
    if (given !== undefined) return creating.createAs(project, template, given, whole, author);
    return withIdOfName(whole.name, entityType, (entityId) =>
      creating.createAs(project, template, entityId, whole, author),
    );
  }

  /** Changes the given fields; the rest of the file stays byte for byte. 412 if the caller has not seen the present state. */
  async function update(
    project: Project,
    entityType: string,
    entityId: string,
    input: UpdateInput,
    { actor, ifMatch, via, guest }: Author & { ifMatch?: HeaderValue },
  ): Promise<Saved> {
    const template = await templateOf(project, entityType);
    requireUpdate(template, withWholeMaps(template, {}, input));
    const options = { actor, ifMatch, overwrite: input.overwrite ?? false };
    const edit = ({ document: present, text, onDisk }: ReconciledFile): Edit | null => {
      const whole = withWholeMaps(template, present.data, input);
      const { changed, document } = editEntity(template, present, whole, isoDate(clock.now()));
      return changed.length === 0 && text === onDisk ? null : { next: document, changed, via, guest };
    };
    return changes.change(project, template, entityId, options, edit).catch(async (error: unknown) => {
      const isUnknown = error instanceof HttpError && error.extras.code === NO_SUCH_ENTITY;
      if (isUnknown) await refuseNeverRead(project, template, entityId);
      throw error;
    });
  }

  return {
    typesOf,
    templateOf,
    warningsOf,
    search,
    searchIds,
    findRow,
    create,
    update,
    writeNew: creating.writeNew,
    ...changes,
    before: hooks.add,
    followTargets: checks.follow,
    readEntity,
  };
}
