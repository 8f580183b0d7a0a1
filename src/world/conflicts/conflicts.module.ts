import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import { createCompare } from './compare.service.ts';
import type { ConflictFiles } from './conflict-files.ts';
import type { ConflictRecords } from './conflict-records.ts';
import { conflictRoutes } from './conflicts.routes.ts';
import { mergeRoutes } from './merge.routes.ts';
import { createResolve, type Resolve } from './resolve.service.ts';
import { createSmartMerge } from './smart-merge.service.ts';

export interface ConflictsModule extends Module {
  resolve: Resolve;
}

/** Two states of one thing: compared, merged, and kept where they cannot be until somebody decides. */
export function createConflictsModule(options: {
  projects: Projects;
  entities: Entities;
  records: ConflictRecords;
  files: ConflictFiles;
  clock: Clock;
}): ConflictsModule {
  const { projects, entities, records } = options;
  const compare = createCompare({ entities });
  const merge = createSmartMerge({ entities });
  const resolve = createResolve(options);
  return {
    name: 'conflicts',
    resolve,
    routes: [...mergeRoutes({ projects, compare, merge }), ...conflictRoutes({ projects, records, resolve })],
  };
}
