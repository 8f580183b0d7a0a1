import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { createBasedEdits, type KeepConflict } from './based-edit.ts';
import { entityRoutes } from './entities.routes.ts';
import { createEntities, type Entities } from './entities.service.ts';
import { createMoveMany, type MoveMany } from './move-many.service.ts';
import type { ReadTexts } from './read-texts.ts';
import { recycleRoutes } from './recycle.routes.ts';
import { createRecycleBin, type RecycleBin } from './recycle.service.ts';
import type { ReferenceChecks } from './reference-checks.ts';
import { revisionRoutes } from './revisions.routes.ts';
import { createRevisions, type RevisionsOptions } from './revisions.service.ts';
import { createWriteMany, type WriteMany } from './write-many.service.ts';

export interface EntitiesModule extends Module {
  entities: Entities;
  recycleBin: RecycleBin;
  writeMany: WriteMany;
  moveMany: MoveMany;
}

export function createEntitiesModule(options: {
  projects: Projects;
  templates: TemplateRegistry;
  bus: Bus;
  clock: Clock;
  checks: ReferenceChecks;
  keepConflict: KeepConflict;
  nameOf: RevisionsOptions['nameOf'];
  readTexts: ReadTexts;
}): EntitiesModule {
  const { projects, clock, keepConflict, nameOf, readTexts } = options;
  const entities = createEntities(options);
  const recycleBin = createRecycleBin({ entities, clock });
  const revisions = createRevisions({ entities, clock, nameOf });
  const updateFromBase = createBasedEdits({ entities, keepConflict, clock });
  return {
    name: 'entities',
    entities,
    recycleBin,
    writeMany: createWriteMany({ entities, readTexts, clock }),
    moveMany: createMoveMany({ entities, clock }),
    start: async () => projects.attach({ isBusy: options.checks.isBusy }),
    stop: () => options.checks.idle(),
    routes: [
      ...entityRoutes({ projects, entities, recycleBin, updateFromBase }),
      ...recycleRoutes({ projects, recycleBin }),
      ...revisionRoutes({ projects, revisions }),
    ],
  };
}
