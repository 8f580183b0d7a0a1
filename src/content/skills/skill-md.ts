import { cutWithin } from '../../text/cut.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import { createDocument, readDocument } from '../frontmatter/index.ts';
import { labelOf } from '../template/index.ts';
import { foldedName, idFromPath, isSkillId } from './names.ts';
import { readSkill } from './read-skill.ts';
import { promptParts, sectionsText } from './sections.ts';
import type { ParsedSkill, Skill } from './types.ts';
import { textOf } from './values.ts';

/** Of the format (agentskills.io). */
const KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
/** Keys that the format does not have: read from `metadata`, where other programs leave them alone, or from the top. */
const OURS = [
  ...['skill_id', 'display_name', 'version', 'category', 'tags', 'capabilities', 'applies_to', 'min_tier'],
  ...['enabled', 'parameters', 'rules', 'workflows'],
];
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;

/** The body is what the model is told; files beside it are for those who can open them. */
export function parseSkillMarkdown({ path, text }: { path: string; text: string }): ParsedSkill {
  const document = readDocument(text);
  if (!document.ok) {
    const { reason, line, column } = document.problem;
    return { ok: false, problem: { reason, line, column } };
  }
  const { data, body, lineOf } = document;
  const metadata = isMap(data.metadata) ? data.metadata : {};
  const said: JsonMap = { ...metadata, ...data };
  const read = readSkill({
    ...Object.fromEntries(OURS.filter((key) => key in said).map((key) => [key, said[key]])),
    skill_id: idOf(said, path),
    name: textOf(said.display_name) || labelOf(foldedName(textOf(said.name))),
    description: data.description,
    parameters: fromJsonText(said.parameters),
    prompts: { system: body },
  });
  const placeOf = (at: readonly string[]): readonly string[] => {
    const [key = ''] = at;
    if (key === 'skill_id' && !('skill_id' in said)) return ['name'];
    return key in metadata && !(key in data) ? ['metadata', ...at] : at;
  };
  if (!read.ok) {
    const reason = 'name' in data ? read.reason : 'there is no `name`';
    return { ok: false, problem: { reason, line: lineOf(placeOf(read.path)), column: 1 } };
  }
  const nearMisses = Object.keys(data).flatMap((key) => {
    const near = [...KEYS, ...OURS].includes(key) ? '' : didYouMean(key, KEYS);
    return near === '' ? [] : [{ message: `"${key}" is no key of a SKILL.md${near}`, line: lineOf([key]) }];
  });
  const faults = read.faults.map(({ path: at, message }) => ({ message, line: lineOf(placeOf(at)) }));
  return { ok: true, skill: read.skill, problems: [...nearMisses, ...faults] };
}

const idOf = (said: JsonMap, path: string): string =>
  textOf(said.skill_id) || foldedName(textOf(said.name)) || idFromPath(path);

/** The format's `metadata` holds texts, so a mapping stands in it as JSON. */
function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return {};
  }
}

/** `dialogue_polisher` → `dialogue-polisher`: the name of the folder, too. */
export const markdownName = (skillId: string): string =>
  skillId.replaceAll(/_+/g, '-').slice(0, LONGEST_NAME).replaceAll(/^-|-$/g, '');

/** The skill as a `SKILL.md`. All parts of its prompt are in the body, each under a heading. */
export function skillMarkdown(skill: Skill): string {
  const { skill_id, name, version, category, min_tier, parameters } = skill;
  const list = (words: readonly string[]) => (words.length === 0 ? undefined : words.join(', '));
  const metadata = {
    skill_id,
    display_name: name,
    version,
    category: category ?? undefined,
    tags: list(skill.tags),
    capabilities: list(skill.capabilities),
    applies_to: list(skill.applies_to),
    min_tier: min_tier === 'free' ? undefined : min_tier,
    enabled: skill.enabled ? undefined : 'false',
    parameters: Object.keys(parameters).length === 0 ? undefined : JSON.stringify(parameters),
  };
  const head = {
    name: markdownName(skill_id),
    description: cutWithin(skill.description || name, LONGEST_DESCRIPTION),
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)),
  };
  return createDocument(head, `${sectionsText(promptParts(skill), '#')}\n`);
}

/** True if `SKILL.md` can name the skill by its folder. */
export const isMarkdownName = (name: string): boolean => isSkillId(name.replaceAll('-', '_'));
