import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../definitions/index.ts';
import { projectsModule } from '../projects/index.ts';
import { canonRoutes } from './canon.routes.ts';
import { createCanon } from './canon.service.ts';

/** Story time, and contradictions in it. */
export const canonModule = defineModule({
  name: 'canon',
  tags: {
    Canon: 'Story time: the calendar of a world, and what contradicts itself in it.',
  },
  uses: { projects: projectsModule, registry: templatesModule },
  create({ clock, log }: CoreContext, { projects, registry }) {
    const canon = createCanon({ registry, clock, log: log.child('canon') });
    return {
      service: canon,
      routes: canonRoutes({ projects, canon }),
      start: async () => projects.attach({ isBusy: canon.isRunning }),
      stop: canon.stop,
    };
  },
});
