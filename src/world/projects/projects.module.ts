import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { recordMigrations } from '../records/index.ts';
import { createProjects, type ProjectFolders, type ProjectLimits } from './projects.service.ts';

export interface ProjectsContext extends Pick<CoreContext, 'config' | 'database' | 'bus' | 'clock' | 'log'> {
  folders: ProjectFolders;
  /** Tests keep fewer projects open, for shorter. */
  openProjects?: ProjectLimits | undefined;
}

/** Content folders and their rows. The surface starts it once all that keeps something of projects is attached. */
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
