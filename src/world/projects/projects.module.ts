import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { recordMigrations } from '../records/index.ts';
import { createProjects, type ProjectFolders, type ProjectLimits } from './projects.service.ts';

export interface ProjectsContext extends Pick<CoreContext, 'config' | 'database' | 'bus' | 'clock' | 'log'> {
  folders: ProjectFolders;
  /** Lower limits for tests. */
  openProjects?: ProjectLimits | undefined;
}

/** Content folders and their rows. The surface starts this module once all project parts are attached. */
export const projectsModule = defineModule({
  name: 'projects',
  tables: recordMigrations,
  create: ({ config, database, bus, clock, log, folders, openProjects }: ProjectsContext) => ({
    service: createProjects({
      database,
      bus,
      folders,
      clock,
      largestText: config.largestText,
      log: log.child('projects'),
      ...(openProjects && { limits: openProjects }),
    }),
  }),
});
