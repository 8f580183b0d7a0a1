import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../definitions/index.ts';
import { projectsModule } from '../projects/index.ts';
import { namesRoutes } from './names.routes.ts';
import { createNames } from './names.service.ts';

/** The names of all entities, for clients that search them by themselves. */
export const namesModule = defineModule({
  name: 'names',
  uses: { projects: projectsModule, templates: templatesModule },
  create(_core: CoreContext, { projects, templates }) {
    return { routes: namesRoutes({ projects, names: createNames({ templates }) }) };
  },
});
