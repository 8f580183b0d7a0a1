import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { conflictRecordsModule } from '../conflict-records/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { proposalsModule } from '../proposals/index.ts';
import { createCompare } from './compare.service.ts';
import { conflictRoutes } from './conflicts.routes.ts';
import { mergeRoutes } from './merge.routes.ts';
import { createResolve } from './resolve.service.ts';
import { createSmartMerge } from './smart-merge.service.ts';

/** Compares and merges two states of an entity, and resolves conflicts that cannot be merged. */
export const conflictsModule = defineModule({
  name: 'conflicts',
  tags: {
    Conflicts:
      'Two changes of one entity that cannot both hold: list, resolve; the one that loses stays a version.',
  },
  uses: {
    projects: projectsModule,
    conflicts: conflictRecordsModule,
    entities: entitiesModule,
    models: modelsModule,
    proposals: proposalsModule,
  },
  create(
    { clock }: CoreContext,
    {
      projects,
      models,
      conflicts: { records, files },
      entities: { entities },
      proposals: { aiSettings: settings },
    },
  ) {
    const compare = createCompare({ entities });
    const merge = createSmartMerge({ entities, models, settings });
    const resolve = createResolve({ entities, files, clock });
    return {
      service: { resolve },
      routes: [
        ...mergeRoutes({ projects, compare, merge }),
        ...conflictRoutes({ projects, records, resolve }),
      ],
    };
  },
});
