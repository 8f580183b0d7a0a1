import type { Clock } from '../../kit/clock.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Module } from '../module.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { entityRoutes } from './entities.routes.ts';
import { createEntities, type Entities } from './entities.service.ts';
import { recycleRoutes } from './recycle.routes.ts';
import { createRecycleBin } from './recycle.service.ts';
import { revisionRoutes } from './revisions.routes.ts';
import { createRevisions } from './revisions.service.ts';

export interface EntitiesModule extends Module {
  entities: Entities;
}

export function createEntitiesModule(options: {
  projects: Projects;
  templates: TemplateRegistry;
  bus: Bus;
  clock: Clock;
}): EntitiesModule {
  const { projects, clock } = options;
  const entities = createEntities(options);
  const recycleBin = createRecycleBin({ entities, clock });
  const revisions = createRevisions({ entities, clock });
  return {
    name: 'entities',
    entities,
    routes: [
      ...entityRoutes({ projects, entities, recycleBin }),
      ...recycleRoutes({ projects, recycleBin }),
      ...revisionRoutes({ projects, revisions }),
    ],
  };
}
