import {
  isSkillPath,
  parseSkill,
  SKILL_FOLDERS,
  SKILL_MD,
  type Skill,
  type SkillProblem,
} from '../../../content/skills/index.ts';
import type { Parsed } from '../files/text-file.ts';
import type { DefinitionKind } from '../registry/definition-kind.ts';

/** The last readable state of a skill's file. */
export interface SkillFile {
  path: string;
  text: string;
  /** Of the file's bytes. */
  checksum: string;
  skill: Skill;
  problems: readonly SkillProblem[];
}

const SKILL_FILE_LIMIT = 256 * 1024;
const MOST_FILES = 300;

function readSkillText(path: string, text: string, checksum: string): Parsed<SkillFile> {
  const read = parseSkill({ path, text });
  return read.ok ? { file: { path, text, checksum, skill: read.skill, problems: read.problems } } : read;
}

export const skillKind: DefinitionKind<SkillFile> = {
  name: 'skill file',
  limit: SKILL_FILE_LIMIT,
  parse: readSkillText,
  folders: SKILL_FOLDERS,
  mainFile: SKILL_MD,
  most: MOST_FILES,
  isOne: isSkillPath,
  isMisnamed: (name) => /^[^/]+\.ya?ml$/i.test(name) || /^skill\.md$/i.test(name),
  naming: 'a skill is a .yml or .yaml file, or the SKILL.md of a folder of its own',
  kept: 'its last good state stays in force',
};
