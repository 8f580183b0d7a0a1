import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Changesets } from '../changesets/changesets.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { StorageRoom } from '../records/storage-room.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { importRoutes } from './imports.routes.ts';
import { createImports, type Imports } from './imports.service.ts';
import { importMigrations } from './imports.tables.ts';

export interface ImportsModule extends Module {
  imports: Imports;
}

/** What was written elsewhere, taken in without loss. */
export function createImportsModule(options: {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
  changesets: Changesets;
  room: StorageRoom;
  clock: Clock;
}): ImportsModule {
  const imports = createImports(options);
  return {
    name: 'imports',
    imports,
    routes: importRoutes({ ...options, imports }),
    migrations: importMigrations,
  };
}
