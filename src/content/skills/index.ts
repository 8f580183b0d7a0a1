export {
  matchingSkills,
  promptSkills,
  skillsText,
  type WantedSkills,
} from './merge.ts';
export {
  idFromPath,
  isSkillId,
  isSkillPath,
  isYamlSkill,
  newSkillPath,
  SKILL_FOLDERS,
  SKILL_MD,
  SKILLS_FOLDER,
  skillFolder,
} from './names.ts';
export { parseSkill } from './parse.ts';
export { recordOfSkill, type SkillRecord, skillOfRecord } from './record.ts';
export { isMarkdownName, markdownName, skillMarkdown } from './skill-md.ts';
export * from './types.ts';
