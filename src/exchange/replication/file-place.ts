import { PERMISSIONS, type Role, roleAllows } from '../../access/plans.ts';
import { isSidecar } from '../../content/assets/index.ts';
import { classifyPath, type PathClass } from '../../content/paths/index.ts';
import { forbidden, invalid } from '../../kit/errors.ts';
import { assetsLock } from '../../world/assets/index.ts';
import { definitionsLock, type TemplateSet } from '../../world/definitions/index.ts';
import { findEntityFolderRow, type Project, type RecordsDb } from '../../world/records/index.ts';
import { contentPath } from './pushed-path.ts';

/** Where a pushed file may be written. */
export interface FilePlace extends PathClass {
  path: string;
  /** Serializes changes to this file. */
  lock: string;
}

/**
 * 422 if such a file cannot lie there. 403 if only administrators may change it: templates, rules, skills and plugins
 * decide what all entities are.
 */
export async function filePlace(
  project: Project,
  set: TemplateSet,
  given: string,
  role: Role,
): Promise<FilePlace> {
  const path = contentPath(given);
  const kind = classifyPath(path, set.byFolder);
  if (path.startsWith('_') && !roleAllows(role, PERMISSIONS.manage_templates)) {
    throw forbidden(`${path} can only be changed with the role ${PERMISSIONS.manage_templates}`, {
      code: 'insufficient_role',
    });
  }
  if (kind.role === 'entity') await requireBeside(project, path);
  return { ...kind, path, lock: lockOf(project, path, kind) };
}

/** Other markdown may lie beside an entity's own file, but must not become an entity by itself. */
async function requireBeside(project: Project, path: string): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const row = await project.database.read((db: RecordsDb) => findEntityFolderRow(db, project, folder));
  if (row !== undefined && row.path !== path) return;
  throw invalid(
    row
      ? `${path} is an entity's file: push it among entities`
      : `There is no entity in ${folder}: push it first`,
    { code: row ? 'is_entity' : 'no_entity' },
  );
}

function lockOf(project: Project, path: string, { role }: PathClass): string {
  if (role === 'template' || role === 'rule' || role === 'skill') return definitionsLock(project);
  return isSidecar(path) ? assetsLock(project) : `file ${project.projectId} ${path}`;
}
