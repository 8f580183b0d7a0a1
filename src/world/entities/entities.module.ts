import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { conflictRecordsModule } from '../conflict-records/index.ts';
import { templatesModule } from '../definitions/index.ts';
import { projectsModule } from '../projects/index.ts';
import type { ReadTexts } from '../texts/index.ts';
import { createBasedEdits } from './based-edit.ts';
import { entityRoutes } from './entities.routes.ts';
import { createEntities } from './entities.service.ts';
import { createMoveMany } from './move-many.service.ts';
import { recycleRoutes } from './recycle.routes.ts';
import { createRecycleBin } from './recycle.service.ts';
import { createReferenceChecks } from './reference-checks.ts';
import { revisionRoutes } from './revisions.routes.ts';
import { createRevisions } from './revisions.service.ts';
import { createWriteMany } from './write-many.service.ts';

export interface EntitiesContext extends CoreContext {
  readTexts: ReadTexts;
}

/** Spec 1 §4.1. */
export const entitiesModule = defineModule({
  name: 'entities',
  tags: {
    Entities:
      'What a world is made of: characters, places, things. Each is one markdown file, and a row that mirrors it.',
    Revisions: 'Every state that an entity has had: list, read, compare, restore.',
    'Recycle bin': 'Deleted entities, until they are restored or removed for good.',
  },
  uses: { projects: projectsModule, templates: templatesModule, conflicts: conflictRecordsModule },
  create({ clock, log, nameOf, readTexts }: EntitiesContext, { projects, templates, conflicts }) {
    const checks = createReferenceChecks({ templates, log: log.child('references') });
    const entities = createEntities({ templates, clock, checks });
    const recycleBin = createRecycleBin({ entities, clock });
    const revisions = createRevisions({ entities, nameOf });
    const updateFromBase = createBasedEdits({ ...conflicts, entities, clock });
    return {
      service: {
        entities,
        recycleBin,
        checks,
        writeMany: createWriteMany({ entities, readTexts, clock }),
        moveMany: createMoveMany({ entities, clock }),
      },
      start: async () => projects.attach({ isBusy: checks.isBusy }),
      stop: checks.idle,
      routes: [
        ...entityRoutes({ projects, entities, recycleBin, updateFromBase }),
        ...recycleRoutes({ projects, recycleBin }),
        ...revisionRoutes({ projects, revisions }),
      ],
    };
  },
});
