import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { assetsModule } from '../assets/index.ts';
import { changesetsModule } from '../changesets/index.ts';
import { templatesModule } from '../definitions/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { importRoutes } from './imports.routes.ts';
import { createImports } from './imports.service.ts';
import { importMigrations } from './imports.tables.ts';

/** Imports content of other tools without loss. */
export const importsModule = defineModule({
  name: 'imports',
  tags: {
    Imports:
      'Notes, tables and JSON from elsewhere: what they would become, taking them in, and what became of everything.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    changesets: changesetsModule,
    assets: assetsModule,
    models: modelsModule,
  },
  tables: importMigrations,
  create({ clock }: CoreContext, services) {
    const { projects, templates, models } = services;
    const { changesets } = services.changesets;
    const { entities } = services.entities;
    const { room } = services.assets;
    const imports = createImports({ templates, entities, changesets, room, models, clock });
    return { service: imports, routes: importRoutes({ projects, templates, entities, changesets, imports }) };
  },
});
