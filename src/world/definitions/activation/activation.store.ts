import type { Kysely } from 'kysely';

import { inProject } from '../../../platform/database/scoped.ts';

import { type Project, scopeColumns } from '../../records/index.ts';

import type { ActivationTables } from './activation.tables.ts';

const select = (db: Kysely<ActivationTables>, project: Project) =>
  inProject(db, project)
    .selectFrom('template_activations')
    .select('entity_type')
    .orderBy('entity_type')
    .execute();

/** The activated types of a project, in alphabetical order. */
export async function activatedTypes(project: Project): Promise<string[]> {
  const rows = await project.database.read((db: Kysely<ActivationTables>) => select(db, project));
  return rows.map((row) => row.entity_type);
}

/**
 * Activates types if `allow` agrees, given the active ones and the new ones; the project's activations are locked meanwhile.
 * Returns the types that were not active before and all that are active now.
 */
export async function activateTypes(
  project: Project,
  types: readonly string[],
  record: { at: string; actor: string },
  allow: (active: readonly string[], coming: readonly string[]) => void,
): Promise<{ added: string[]; active: string[] }> {
  return project.database.exclusive(`activations ${project.projectId}`, () =>
    project.database.write(async (db: Kysely<ActivationTables>) => {
      const active = (await select(db, project)).map((row) => row.entity_type);
      const added = types.filter((type) => !active.includes(type));
      if (added.length === 0) return { added, active };
      allow(active, added);
      const columns = { activated_at: record.at, activated_by: record.actor };
      const rows = added.map((entity_type) => ({ ...scopeColumns(project), entity_type, ...columns }));
      await db.insertInto('template_activations').values(rows).execute();
      return { added, active: [...active, ...added] };
    }),
  );
}

/** Returns false if the type was not activated. */
export async function deactivateType(project: Project, entityType: string): Promise<boolean> {
  return project.database.exclusive(`activations ${project.projectId}`, async () => {
    const result = await project.database.write((db: Kysely<ActivationTables>) =>
      inProject(db, project)
        .deleteFrom('template_activations')
        .where('entity_type', '=', entityType)
        .executeTakeFirst(),
    );
    return result.numDeletedRows > 0n;
  });
}
