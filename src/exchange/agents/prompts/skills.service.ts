import { skillsText } from '../../../content/skills/index.ts';
import type { RouteCaller } from '../../../kit/http/route-calls.ts';
import type { SkillsFor, UsableSkills } from '../../../world/skills/index.ts';
import type { AgentSkills } from '../agent.ts';
import type { WithProject } from '../with-project.ts';

export interface SkillsOptions {
  withProject: WithProject;
  skillsFor: SkillsFor;
  usableSkills: UsableSkills;
}

export type AgentSkillsFor = (caller: RouteCaller) => AgentSkills;

export function createAgentSkills({ withProject, skillsFor, usableSkills }: SkillsOptions): AgentSkillsFor {
  return ({ principal, tenantId, projectId }) => {
    if (principal === null) return { list: async () => [], text: async () => null };
    const caller = { tenantId, projectId };
    return {
      list: () => withProject(caller, (project) => usableSkills(project, principal)),
      async text(skillId) {
        const wanted = { contentType: null, only: [skillId] };
        const skills = await withProject(caller, (project) => skillsFor(project, principal, wanted));
        return skills.length === 0 ? null : skillsText(skills);
      },
    };
  };
}
