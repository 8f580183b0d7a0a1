import { templateTypeOfName } from '../../content/template/index.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { orAccepted } from './accepted.ts';
import type { Changesets } from './changesets.service.ts';
import type { CompareFolder } from './compare-folder.ts';
import { migrateTemplate } from './migration.contract.ts';
import type { Migrations } from './migration.service.ts';

export function migrationRoutes(options: {
  projects: Projects;
  migrations: Migrations;
  changesets: Changesets;
  compareFolder: CompareFolder;
}): Route[] {
  const { projects, migrations, changesets, compareFolder } = options;
  return [
    route(migrateTemplate, async (request) => {
      const { actor, plan, body, params } = request;
      const { changes, update_template = false, dry_run = false } = body;
      const project = await requestProject(projects, request);
      await compareFolder(project);
      const input = { name: params.name, changes, updateTemplate: update_template };
      const about = { dry_run, entity_type: templateTypeOfName(params.name) };
      if (dry_run) return { ...about, ...(await migrations.plan(project, input)) };
      return orAccepted(changesets, project, request, async (begun) => ({
        ...about,
        ...(await migrations.migrate(project, input, { actor, plan }, begun)),
      }));
    }),
  ];
}
