import { isMap, type JsonMap } from '../../text/json.ts';
import { readSkill } from './read-skill.ts';
import type { Skill } from './types.ts';

/** The part of a registry record that says what the skill is (spec 2 §2.1). */
export interface SkillRecord {
  skill_id: string;
  name: string;
  description: string;
  category: string | null;
  tags: readonly string[];
  definition: JsonMap;
  prompt_template: string;
  parameters: JsonMap;
  min_tier: string;
}

/** Null for a record without a usable id. `definition.prompts` adds to the template, which is the system prompt. */
export function skillOfRecord(record: SkillRecord): Skill | null {
  const { definition, prompt_template, ...rest } = record;
  const prompts = isMap(definition.prompts) ? definition.prompts : {};
  const system = prompt_template === '' ? prompts.system : prompt_template;
  const read = readSkill({ ...rest, definition, prompts: { ...prompts, system }, enabled: true });
  return read.ok ? read.skill : null;
}

/** The record that says the same as a skill's file. */
export function recordOfSkill(skill: Skill): SkillRecord {
  const { system, ...others } = skill.prompts;
  const prompts = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
  return {
    skill_id: skill.skill_id,
    name: skill.name,
    description: skill.description,
    category: skill.category,
    tags: skill.tags,
    definition: {
      version: skill.version,
      capabilities: [...skill.capabilities],
      applies_to: [...skill.applies_to],
      ...(skill.rules.length > 0 && { rules: [...skill.rules] }),
      ...(skill.workflows.length > 0 && { workflows: [...skill.workflows] }),
      ...(Object.keys(prompts).length > 0 && { prompts }),
    },
    prompt_template: system,
    parameters: skill.parameters,
    min_tier: skill.min_tier,
  };
}
