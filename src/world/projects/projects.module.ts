import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { recordMigrations } from '../records/index.ts';
import { createProjectList } from './project-list.service.ts';
import { projectRoutes } from './projects.routes.ts';
import { createProjects, type ProjectFolders, type ProjectLimits } from './projects.service.ts';

export interface ProjectsContext extends Pick<CoreContext, 'config' | 'database' | 'bus' | 'clock' | 'log'> {
  folders: ProjectFolders;
  /** Lower limits for tests. */
  openProjects?: ProjectLimits | undefined;
}

/** Content folders and their rows. The surface starts this module once all project parts are attached. */
export const projectsModule = defineModule({
  name: 'projects',
  tags: {
    Projects: 'The worlds of a team: each is a folder of its own with its own types, entities and files.',
  },
  tables: recordMigrations,
  create({ config, database, bus, clock, log, folders, openProjects }: ProjectsContext) {
    const service = createProjects({
      database,
      bus,
      folders,
      clock,
      largestText: config.largestText,
      log: log.child('projects'),
      ...(openProjects && { limits: openProjects }),
    });
    const list = createProjectList({ projects: service, database, folders });
    return { service, routes: projectRoutes(list) };
  },
});
