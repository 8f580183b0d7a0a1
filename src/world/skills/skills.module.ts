import type { Skill } from '../../content/skills/index.ts';
import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createProjectSkills, templatesModule } from '../definitions/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import { agentSkillRoutes } from './agent-skills.routes.ts';
import { createInstallations } from './installations.service.ts';
import { createSkillsFor, createUsableSkills } from './prompt-skills.ts';
import { createRegistry } from './registry.service.ts';
import { skillFileRoutes } from './skill-files.routes.ts';
import { createSkillFiles } from './skill-files.service.ts';
import { skillMigrations } from './skills.tables.ts';

export interface SkillsContext extends CoreContext {
  /** The skills that the service brings along. */
  readShippedSkills(): Promise<readonly Skill[]>;
}

/** Skills for AI: the registry, what is installed, and the project's own files (spec 2 §2.1 to §2.3, §3, §4.1). */
export const skillsModule = defineModule({
  name: 'skills',
  tags: {
    'Agent skills': 'What AI is told beside templates and rules: a registry, and who has installed what.',
    'Skill files': 'The skills in a project’s own files, in YAML or as SKILL.md.',
  },
  uses: { projects: projectsModule, templates: templatesModule, mirror: mirrorModule },
  tables: skillMigrations,
  create({ database, clock, config, readShippedSkills }: SkillsContext, { projects, templates, mirror }) {
    const registry = createRegistry({ database, clock, readShipped: readShippedSkills });
    const sharedBy = config.deployment === 'cloud' ? 'tenant' : 'user';
    const installations = createInstallations({ registry, clock, sharedBy });
    const projectSkills = createProjectSkills(templates);
    const skillFiles = createSkillFiles({ registry: templates, projectSkills, mirror, clock });
    return {
      service: {
        skillsFor: createSkillsFor(installations, projectSkills),
        usableSkills: createUsableSkills(installations, projectSkills),
      },
      routes: [...agentSkillRoutes(registry, installations), ...skillFileRoutes(projects, skillFiles)],
    };
  },
});
