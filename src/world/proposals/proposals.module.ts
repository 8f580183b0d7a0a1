import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { entitiesModule } from '../entities/index.ts';
import { projectsModule } from '../projects/index.ts';
import { proposalRoutes } from './proposals.routes.ts';
import { createProposals } from './proposals.service.ts';
import { proposalMigrations } from './proposals.tables.ts';
import { aiSettingsRoutes } from './settings/ai-settings.routes.ts';
import { createAiSettings } from './settings/ai-settings.service.ts';

/** What AI and agents want changed, until somebody decides; and what a project allows of them. */
export const proposalsModule = defineModule({
  name: 'proposals',
  tags: {
    Proposals: 'What AI and agents want changed: nothing is written before somebody accepts it.',
  },
  uses: { projects: projectsModule, entities: entitiesModule },
  tables: proposalMigrations,
  create({ database, box, clock }: CoreContext, { projects, entities: { entities } }) {
    const settings = createAiSettings({ database, box, clock });
    const proposals = createProposals({ entities, clock, requireAllowed: settings.requireAllowed });
    return {
      service: { proposals, aiSettings: settings },
      routes: [...proposalRoutes(projects, proposals), ...aiSettingsRoutes(projects, settings)],
    };
  },
});
