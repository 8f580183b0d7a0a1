import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { embeddingsModule } from '../embeddings/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createBriefSearch } from './brief.service.ts';
import { searchRoutes } from './search.routes.ts';
import { createSearch } from './search.service.ts';

/** Search over all types: by words, by meaning, or both. */
export const searchModule = defineModule({
  name: 'search',
  uses: { projects: projectsModule, entities: entitiesModule, embeddings: embeddingsModule },
  create(_core: CoreContext, { projects, entities: { entities }, embeddings }) {
    const search = createSearch({ entities, embeddings });
    return { routes: searchRoutes({ projects, search, brief: createBriefSearch({ entities }), embeddings }) };
  },
});
