import { isMap, type JsonMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import { isSwitchedOn } from '../rules/switch.ts';
import { labelOf } from '../template/index.ts';
import { foldedName, isSkillId } from './names.ts';
import { readParameters } from './parameters.ts';
import { PROMPT_PARTS, SKILL_TIERS, type Skill, type SkillPrompts } from './types.ts';
import { appliesTo, examplesOf, textOf, textsOf, tierOf, wordsOf } from './values.ts';

const KEYS = [
  ...['skill_id', 'name', 'description', 'version', 'category', 'tags', 'capabilities', 'applies_to'],
  ...['min_tier', 'enabled', 'prompts', 'parameters', 'definition', 'rules', 'workflows'],
];

/** Spec 2 §2.3. */
const FIRST_VERSION = '1.0';

export interface SkillFault {
  path: readonly string[];
  message: string;
}

export type ReadSkill =
  | { ok: true; skill: Skill; faults: readonly SkillFault[] }
  | { ok: false; path: readonly string[]; reason: string };

interface Texts {
  /** A number as it is written: `1.10`, not 1.1. */
  sourceOf?(path: readonly string[]): string | undefined;
}

/** Reads the keys of a skill. What `definition` holds counts where the skill itself does not say it. */
export function readSkill(given: JsonMap, { sourceOf = () => undefined }: Texts = {}): ReadSkill {
  const faults: SkillFault[] = nearMisses(given);
  const skillId = idOf(given, faults);
  if (typeof skillId !== 'string') return skillId;
  const definition = isMap(given.definition) ? given.definition : {};
  const data: JsonMap = { ...definition, ...withoutEmpty(given) };
  const { parameters, faults: ofParameters } = readParameters(data.parameters);
  faults.push(...ofParameters.map(({ name, message }) => ({ path: ['parameters', name], message })));
  const tier = tierOf(data.min_tier);
  if (tier === null) faults.push({ path: ['min_tier'], message: badTier(data.min_tier) });
  const name = textOf(data.name);
  if (name === '') faults.push({ path: ['skill_id'], message: 'the skill has no `name`' });
  const category = textOf(data.category);
  return {
    ok: true,
    faults,
    skill: {
      skill_id: skillId,
      name: name || labelOf(skillId),
      description: textOf(data.description),
      version: versionOf(data.version, sourceOf(['version'])),
      category: category === '' ? null : category,
      tags: wordsOf(data.tags),
      capabilities: wordsOf(data.capabilities),
      applies_to: appliesTo(data.applies_to),
      min_tier: tier ?? 'free',
      enabled: isSwitchedOn(data.enabled),
      prompts: promptsOf(data.prompts),
      rules: textsOf(data.rules),
      workflows: textsOf(data.workflows),
      parameters,
    },
  };
}

function idOf(given: JsonMap, faults: SkillFault[]): string | Extract<ReadSkill, { ok: false }> {
  const written = textOf(given.skill_id);
  if (written === '') {
    const near = Object.keys(given).find((key) => didYouMean(key, ['skill_id']) !== '');
    const reason = near === undefined ? 'there is no `skill_id`' : `\`${near}\` is to be \`skill_id\``;
    return { ok: false, path: near === undefined ? [] : [near], reason };
  }
  const id = foldedName(written);
  if (!isSkillId(id)) {
    const rule = 'it has up to 100 lower-case letters, digits and underscores';
    return {
      ok: false,
      path: ['skill_id'],
      reason: `the skill_id "${written.slice(0, 100)}" is none: ${rule}`,
    };
  }
  if (id !== written) faults.push({ path: ['skill_id'], message: `"${written}" is read as "${id}"` });
  return id;
}

const withoutEmpty = (map: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null && value !== undefined));

function nearMisses(given: JsonMap): SkillFault[] {
  const inMap = (map: JsonMap, known: readonly string[], path: readonly string[]): SkillFault[] =>
    Object.keys(map).flatMap((key) => {
      const near = known.includes(key) ? '' : didYouMean(key, known);
      return near === '' ? [] : [{ path: [...path, key], message: `"${key}" is no key of a skill${near}` }];
    });
  const ofPrompts = isMap(given.prompts) ? inMap(given.prompts, PROMPT_PARTS, ['prompts']) : [];
  return [...inMap(given, KEYS, []), ...ofPrompts];
}

const badTier = (value: unknown): string =>
  `min_tier "${textOf(value).slice(0, 40)}" is none of ${SKILL_TIERS.join(', ')}, or 0 to 3: free counts`;

function versionOf(value: unknown, source: string | undefined): string {
  return (typeof value === 'number' ? source : undefined) ?? (textOf(value) || FIRST_VERSION);
}

/** A text alone is the system prompt. */
function promptsOf(value: unknown): SkillPrompts {
  const map: JsonMap = isMap(value) ? value : { system: value };
  return {
    system: textOf(map.system),
    task: textOf(map.task),
    output_format: textOf(map.output_format),
    examples: examplesOf(map.examples),
    user: textOf(map.user),
  };
}
