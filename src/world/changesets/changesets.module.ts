import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { RecycleBin } from '../entities/recycle.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import { createTemplateEditor } from '../templates/edit-template.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { changesetRoutes } from './changesets.routes.ts';
import { type Changesets, createChangesets } from './changesets.service.ts';
import { changesetMigrations } from './changesets.tables.ts';
import type { CompareFolder } from './compare-folder.ts';
import { migrationRoutes } from './migration.routes.ts';
import { createMigrations } from './migration.service.ts';
import { renameRoutes } from './rename.routes.ts';
import { createRenames, type Renames } from './rename.service.ts';

export interface ChangesetsModule extends Module {
  changesets: Changesets;
  renames: Renames;
}

/** Imports, fixes, renames and migrations as single steps, and the way back from them. Starts before the mirror does. */
export function createChangesetsModule(options: {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
  recycleBin: RecycleBin;
  compareFolder: CompareFolder;
  bus: Bus;
  clock: Clock;
  log: Log;
}): ChangesetsModule {
  const { projects, templates, clock, compareFolder } = options;
  const templateEditor = createTemplateEditor({ registry: templates, clock });
  const changesets = createChangesets({ ...options, templateEditor });
  const renames = createRenames({ entities: options.entities, changesets });
  const migrations = createMigrations({ entities: options.entities, changesets });
  return {
    name: 'changesets',
    changesets,
    renames,
    routes: [
      ...changesetRoutes({ projects, changesets }),
      ...renameRoutes({ projects, renames, changesets, compareFolder }),
      ...migrationRoutes({ projects, migrations, changesets, compareFolder }),
    ],
    migrations: changesetMigrations,
    async start() {
      projects.attach({
        open: async (project) => void changesets.recover(project),
        isBusy: changesets.isBusy,
        close: async (project) => changesets.forget(project),
      });
    },
    stop: changesets.stop,
  };
}
