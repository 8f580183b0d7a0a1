import { DocumentError, editYamlFile, readYamlFile } from '../../content/frontmatter/index.ts';
import { isYamlSkill, parseSkill, type Skill } from '../../content/skills/index.ts';
import { type HttpError, invalid } from '../../kit/errors.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { SkillFileWrite } from './skill-files.contract.ts';

const refused = (field: string, { reason, line }: { reason: string; line: number }): HttpError =>
  invalid(`The skill cannot be used: ${reason} (line ${line}). Nothing was changed`, {
    code: 'invalid_skill',
    errors: [{ field, message: reason, line }],
  });

/** 422 for a text that is no skill. */
export function requireSkill(path: string, text: string): Skill {
  const read = parseSkill({ path, text });
  if (read.ok) return read.skill;
  throw refused('content', read.problem);
}

/** The next text of a skill's file; `present` is null for a new one. 422 if it would not be this skill. */
export function nextSkillText(
  { path, skillId, present }: { path: string; skillId: string; present: string | null },
  { content, overwrite: _, ...keys }: SkillFileWrite,
): string {
  const text = content ?? editedYaml(path, present ?? newSkill(skillId, keys.name), keys);
  const { skill_id } = requireSkill(path, text);
  if (skill_id === skillId) return text;
  throw refused('content', { reason: `its skill_id is "${skill_id}" and not "${skillId}"`, line: 1 });
}

const newSkill = (skillId: string, name = skillId): string =>
  editYamlFile('', { set: { skill_id: skillId, name } });

function editedYaml(path: string, text: string, { prompts, ...keys }: Partial<SkillFileWrite>): string {
  if (!isYamlSkill(path))
    throw invalid('A SKILL.md is changed as a whole: send its text as `content`', {
      code: 'whole_text_needed',
      errors: [{ field: 'content', message: 'is required for a SKILL.md' }],
    });
  const given = Object.entries(keys);
  const set: JsonMap = Object.fromEntries(given.filter(([, value]) => value !== null));
  if (prompts !== undefined) set.prompts = withPrompts(text, prompts);
  const unset = given.filter(([, value]) => value === null).map(([key]) => key);
  try {
    return editYamlFile(text, { set, unset });
  } catch (error) {
    if (error instanceof DocumentError) throw refused('content', error.problem);
    throw error;
  }
}

/** A text alone stands for the system prompt. */
function withPrompts(text: string, prompts: NonNullable<SkillFileWrite['prompts']>): JsonMap {
  const read = readYamlFile(text);
  const said = read.ok ? read.data.prompts : undefined;
  const present = isMap(said) ? said : typeof said === 'string' ? { system: said } : {};
  const next = Object.entries({ ...present, ...prompts });
  return Object.fromEntries(next.filter(([, value]) => value !== null && value !== undefined));
}
