import { templateTypeOfName } from '../../../content/template/index.ts';
import { FilesError } from '../../../platform/files/files.ts';
import type { Project } from '../../records/index.ts';
import { requirePack } from '../activation/require-pack.ts';
import { definitionsLock } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';

export interface ShippedTemplate {
  /** Within a project. */
  path: string;
  text: string;
}

export type ReadShippedTemplates = () => Promise<readonly ShippedTemplate[]>;

/** Adds templates that the service brings along to a project that lacks them. */
export const createShippedTemplates =
  (registry: TemplateRegistry, readShipped: ReadShippedTemplates) =>
  (project: Project, packId: string | undefined) =>
    project.database.exclusive(definitionsLock(project), async () => {
      const pack = packId === undefined ? null : requirePack(packId);
      const { set: before } = await registry.reload(project);
      for (const { path, text } of await readShipped()) {
        const type = templateTypeOfName(path.slice(path.lastIndexOf('/') + 1));
        if (before.types.has(type) || pack?.types.includes(type) === false) continue;
        await project.files.write(path, text, { ifAbsent: true }).catch(ifThere);
      }
      const { set } = await registry.reload(project);
      return {
        added: [...set.types.keys()].filter((type) => !before.types.has(type)),
        total: set.types.size,
      };
    });

/** One that cannot be read is the user's, too. */
function ifThere(error: unknown): void {
  if (!(error instanceof FilesError) || error.code !== 'exists') throw error;
}
