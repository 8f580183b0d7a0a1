import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { changesetsModule } from '../changesets/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { projectsModule } from '../projects/index.ts';
import { changeSetRoutes } from './change-sets/change-sets.routes.ts';
import { createChangeSets } from './change-sets/change-sets.service.ts';
import { createFollow } from './change-sets/follow.ts';
import { createPlan } from './change-sets/plan.ts';
import { proposalRoutes } from './proposals.routes.ts';
import { createProposals } from './proposals.service.ts';
import { proposalMigrations } from './proposals.tables.ts';
import { provenanceRoutes } from './provenance/provenance.routes.ts';
import { createProvenance } from './provenance/provenance.service.ts';
import { aiSettingsRoutes } from './settings/ai-settings.routes.ts';
import { createAiSettings } from './settings/ai-settings.service.ts';

/** Changes that AI and agents want, until somebody decides; and the limits that a project sets them. */
export const proposalsModule = defineModule({
  name: 'proposals',
  tags: {
    Proposals: 'What AI and agents want changed: nothing is written before somebody accepts it.',
    'Change sets': 'Proposals that are reviewed, accepted and undone together, such as an agent’s whole run.',
    Provenance:
      'What was generated and is still there, by which model, and how much people have changed since.',
  },
  uses: { projects: projectsModule, entities: entitiesModule, changesets: changesetsModule },
  tables: proposalMigrations,
  create({ database, box, clock }: CoreContext, { projects, entities: world, changesets: { changesets } }) {
    const { entities, recycleBin } = world;
    const aiSettings = createAiSettings({ database, box, clock });
    const shared = { entities, clock, requireAllowed: aiSettings.requireAllowed };
    const proposals = createProposals({ ...shared, recycleBin, operations: changesets });
    const plan = createPlan(shared);
    const changeSets = createChangeSets({ entities, changesets, proposals, plan, clock });
    const provenance = createProvenance({ entities });
    changesets.onStep(createFollow(clock));
    return {
      service: { proposals, changeSets, aiSettings },
      routes: [
        ...proposalRoutes(projects, proposals),
        ...changeSetRoutes(projects, changesets, changeSets),
        ...provenanceRoutes(projects, provenance),
        ...aiSettingsRoutes(projects, aiSettings),
      ],
    };
  },
});
