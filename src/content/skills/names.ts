export const SKILLS_FOLDER = '_Skills';

/** Of two files with one id, the one in the later folder counts: ours first, then the project's own. */
export const SKILL_FOLDERS: readonly string[] = [
  `${SKILLS_FOLDER}/Standard`,
  SKILLS_FOLDER,
  `${SKILLS_FOLDER}/User`,
  `${SKILLS_FOLDER}/Custom`,
];

/** The main file of a skill folder (agentskills.io). */
export const SKILL_MD = 'SKILL.md';

const SKILL_ID = /^[a-z0-9][a-z0-9_]{0,99}$/;
const YAML_FILE = /\.ya?ml$/;
const SKILL_PATH =
  /^_Skills\/(?:(?:Standard|User|Custom)\/)?(?:[^/]+\.ya?ml|(?!(?:Standard|User|Custom)\/)[^/]+\/SKILL\.md)$/;

export const isSkillId = (text: string): boolean => SKILL_ID.test(text);

export const isYamlSkill = (path: string): boolean => YAML_FILE.test(path);

/** `_Skills/namer.yml`, `_Skills/User/namer/SKILL.md`. */
export const isSkillPath = (path: string): boolean => SKILL_PATH.test(path) && !path.includes('/.');

/** Where the API puts a new skill. */
export const newSkillPath = (skillId: string): string => `${SKILLS_FOLDER}/User/${skillId}.yml`;

/** The folder of a skill with a `SKILL.md`. */
export const skillFolder = (name: string): string => `${SKILLS_FOLDER}/User/${name}`;

/** `Dialogue Polisher` → `dialogue_polisher`: how ids, types and kinds of documents are compared. */
export const foldedName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** The id that a file's name suggests; `''` if it suggests none. */
export function idFromPath(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  const stem = last === SKILL_MD ? (parts.at(-2) ?? '') : last.replace(YAML_FILE, '');
  const id = foldedName(stem);
  return isSkillId(id) ? id : '';
}
