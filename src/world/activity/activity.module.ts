import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../definitions/index.ts';
import { projectsModule } from '../projects/index.ts';
import { activityRoutes } from './activity.routes.ts';
import { createActivity } from './activity.service.ts';

/** The newest changes over all types. */
export const activityModule = defineModule({
  name: 'activity',
  uses: { projects: projectsModule, templates: templatesModule },
  create(_core: CoreContext, { projects, templates }) {
    return { routes: activityRoutes({ projects, activity: createActivity({ templates }) }) };
  },
});
