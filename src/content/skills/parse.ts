import { readYamlFile } from '../frontmatter/index.ts';
import { isYamlSkill } from './names.ts';
import { readSkill } from './read-skill.ts';
import { parseSkillMarkdown } from './skill-md.ts';
import type { ParsedSkill } from './types.ts';

/** A skill's file, in YAML or as `SKILL.md`. An unusable file is a problem with its place; lesser faults are in `problems`. */
export const parseSkill = (input: { path: string; text: string }): ParsedSkill =>
  isYamlSkill(input.path) ? parseSkillYaml(input.text) : parseSkillMarkdown(input);

function parseSkillYaml(text: string): ParsedSkill {
  const file = readYamlFile(text);
  if (!file.ok) {
    const { reason, line, column } = file.problem;
    return { ok: false, problem: { reason, line, column } };
  }
  const read = readSkill(file.data, { sourceOf: file.sourceOf });
  if (!read.ok) {
    const line = read.path.length === 0 ? 1 : file.lineOf(read.path);
    return { ok: false, problem: { reason: read.reason, line, column: 1 } };
  }
  const problems = read.faults.map(({ path, message }) => ({ message, line: file.lineOf(path) }));
  return { ok: true, skill: read.skill, problems };
}
