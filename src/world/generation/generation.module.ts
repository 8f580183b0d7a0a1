import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../definitions/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { proposalsModule } from '../proposals/index.ts';
import { skillsModule } from '../skills/index.ts';
import { fillRoutes } from './fill/fill.routes.ts';
import { createFills } from './fill/fill.service.ts';
import { fillMigrations } from './fill/fill.tables.ts';
import { createGenerating } from './generating.ts';
import { generationRoutes } from './generation.routes.ts';

/** Lets models propose text for entities (docs/ai.md). */
export const generationModule = defineModule({
  name: 'generation',
  tags: {
    Generation:
      'Text that models propose for entities, shown before it is asked for and accepted before it is written.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    models: modelsModule,
    proposals: proposalsModule,
    skills: skillsModule,
  },
  tables: fillMigrations,
  create({ clock, jobs, log: parent }: CoreContext, { projects, ...services }) {
    const log = parent.child('generation');
    const { generation, gather } = createGenerating({ ...services, clock });
    const fills = createFills({
      models: services.models,
      gather,
      changeSets: services.proposals.changeSets,
      jobs,
      clock,
    });
    return {
      service: generation,
      routes: [...generationRoutes({ projects, generation, log }), ...fillRoutes(projects, fills)],
      start: async () => projects.attach({ open: fills.resume }),
    };
  },
});
