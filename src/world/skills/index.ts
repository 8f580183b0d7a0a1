export type { SkillCaller } from './installations.service.ts';
export type { SkillsFor, UsableSkills } from './prompt-skills.ts';
export { skillsModule } from './skills.module.ts';
