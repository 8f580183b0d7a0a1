import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createTemplateEditor, templatesModule } from '../definitions/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import { changesetRoutes } from './changesets.routes.ts';
import { createChangesets } from './changesets.service.ts';
import { changesetMigrations } from './changesets.tables.ts';
import { createCompareFolder } from './compare-folder.ts';
import { migrationRoutes } from './migration.routes.ts';
import { createMigrations } from './migration.service.ts';
import { renameRoutes } from './rename.routes.ts';
import { createRenames } from './rename.service.ts';

/** Imports, fixes, renames and migrations as single operations with an undo. */
export const changesetsModule = defineModule({
  name: 'changesets',
  tags: {
    Changesets: 'Imports, renames and migrations: several files changed as one step, and the way back.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    mirror: mirrorModule,
  },
  tables: changesetMigrations,
  create({ clock, log }: CoreContext, { projects, templates, mirror, entities: world }) {
    const { entities, recycleBin } = world;
    const templateEditor = createTemplateEditor({ registry: templates, clock });
    const changesets = createChangesets({
      templates,
      entities,
      recycleBin,
      templateEditor,
      clock,
      log: log.child('operations'),
    });
    const renames = createRenames({ entities, changesets });
    const templateMigrations = createMigrations({ entities, changesets });
    const compareFolder = createCompareFolder(mirror);
    // Until an interrupted operation is finished, folder and rows differ.
    mirror.beforeComparing(changesets.recover);
    return {
      service: { changesets, renames },
      routes: [
        ...changesetRoutes({ projects, changesets }),
        ...renameRoutes({ projects, renames, changesets, compareFolder }),
        ...migrationRoutes({ projects, migrations: templateMigrations, changesets, compareFolder }),
      ],
      start: async () => projects.attach({ isBusy: changesets.isBusy }),
      stop: changesets.stop,
    };
  },
});
