import { invalid } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { orAccepted } from './accepted.ts';
import type { Changesets } from './changesets.service.ts';
import type { CompareFolder } from './compare-folder.ts';
import { renameEntity } from './rename.contract.ts';
import type { Renames } from './rename.service.ts';

export function renameRoutes(options: {
  projects: Projects;
  renames: Renames;
  changesets: Changesets;
  compareFolder: CompareFolder;
}): Route[] {
  const { projects, renames, changesets, compareFolder } = options;
  return [
    route(renameEntity, async (request) => {
      const { actor, plan, body } = request;
      const { entity_type, new_id, name, dry_run = false } = body;
      const old_id = body.old_id ?? body.entity_id;
      if (old_id === undefined) {
        throw invalid('old_id is missing: the present id of the entity', {
          errors: [{ field: 'old_id', message: 'is required' }],
        });
      }
      const project = await requestProject(projects, request);
      await compareFolder(project);
      const input = { entity_type, old_id, new_id, name };
      const about = { dry_run, entity_type, old_id, new_id };
      if (dry_run) return { ...about, ...(await renames.plan(project, input)) };
      return orAccepted(changesets, project, request, async (begun) => ({
        ...about,
        ...(await renames.rename(project, input, { actor, plan }, begun)),
      }));
    }),
  ];
}
