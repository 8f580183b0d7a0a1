import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../definitions/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { projectsModule } from '../projects/index.ts';
import { referenceRoutes } from './references.routes.ts';
import { createReferences } from './references.service.ts';

export const referencesModule = defineModule({
  name: 'references',
  tags: {
    References: 'What refers to what: of an entity, of a project, broken ones, and as a graph.',
  },
  uses: { projects: projectsModule, templates: templatesModule, entities: entitiesModule },
  create(_core: CoreContext, { projects, templates, entities: { entities } }) {
    const references = createReferences({ templates });
    return { service: references, routes: referenceRoutes({ projects, entities, references }) };
  },
});
