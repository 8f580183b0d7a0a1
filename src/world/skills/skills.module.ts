import type { Skill } from '../../content/skills/index.ts';
import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createProjectSkills, templatesModule } from '../definitions/index.ts';
import { agentSkillRoutes } from './agent-skills.routes.ts';
import { createInstallations } from './installations.service.ts';
import { createSkillsFor } from './prompt-skills.ts';
import { createRegistry } from './registry.service.ts';
import { skillMigrations } from './skills.tables.ts';

export interface SkillsContext extends CoreContext {
  /** The skills that the service brings along. */
  shippedSkills: readonly Skill[];
}

/** Skills for AI: the registry, what is installed, and the project's own files (spec 2 §2.1 to §2.3, §3, §4.1). */
export const skillsModule = defineModule({
  name: 'skills',
  tags: {
    'Agent skills': 'What AI is told beside templates and rules: a registry, and who has installed what.',
  },
  uses: { registry: templatesModule },
  tables: skillMigrations,
  create({ database, clock, config, shippedSkills }: SkillsContext, { registry: templates }) {
    const registry = createRegistry({ database, clock, shipped: shippedSkills });
    const sharedBy = config.deployment === 'cloud' ? 'tenant' : 'user';
    const installations = createInstallations({ registry, clock, sharedBy });
    return {
      service: { skillsFor: createSkillsFor(installations, createProjectSkills(templates)) },
      routes: agentSkillRoutes(registry, installations),
    };
  },
});
