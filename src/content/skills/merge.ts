import { foldedName } from './names.ts';
import { promptParts, sectionsText } from './sections.ts';
import { type PromptSkill, SKILL_SOURCES, type Skill, type SourcedSkill } from './types.ts';

export interface WantedSkills {
  /** An entity type or a kind of document; null asks for skills that apply to everything. */
  contentType: string | null;
  /** Ids that the entity names: these come first, in this order, whatever they apply to. */
  associated?: readonly string[];
  /** Only these, whatever they apply to. */
  only?: readonly string[];
}

const appliesToType = ({ applies_to }: Skill, contentType: string | null): boolean =>
  applies_to.length === 0 || (contentType !== null && applies_to.includes(foldedName(contentType)));

const rankOf = ({ source }: SourcedSkill): number => SKILL_SOURCES.indexOf(source);

const byName = (one: SourcedSkill, other: SourcedSkill): number => {
  const [a, b] = [one, other].map(({ skill }) => `${skill.name.toLowerCase()}\n${skill.skill_id}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
};

/** One for each id: the one from the latest source. */
function withoutReplaced(skills: readonly SourcedSkill[]): SourcedSkill[] {
  const byId = new Map<string, SourcedSkill>();
  for (const each of skills) {
    const known = byId.get(each.skill.skill_id);
    if (known === undefined || rankOf(each) >= rankOf(known)) byId.set(each.skill.skill_id, each);
  }
  return [...byId.values()];
}

/** The skills that shape one content, in the order of the prompt: associated ones, then by source, then by name. */
export function matchingSkills(skills: readonly SourcedSkill[], wanted: WantedSkills): SourcedSkill[] {
  const { contentType, associated = [], only } = wanted;
  const first = associated.map(foldedName);
  const chosen = only?.map(foldedName);
  const place = ({ skill }: SourcedSkill): number => {
    const at = first.indexOf(skill.skill_id);
    return at < 0 ? first.length : at;
  };
  const isWanted = ({ skill }: SourcedSkill) =>
    chosen?.includes(skill.skill_id) ?? (first.includes(skill.skill_id) || appliesToType(skill, contentType));
  return withoutReplaced(skills)
    .filter((each) => each.skill.enabled && isWanted(each))
    .sort((one, other) => place(one) - place(other) || rankOf(one) - rankOf(other) || byName(one, other));
}

const promptSkill = ({ skill, source }: SourcedSkill): PromptSkill => {
  const { skill_id, name, parameters } = skill;
  return { skill_id, name, source, ...promptParts(skill), parameters };
};

/** The matching skills as parts of a prompt. */
export const promptSkills = (skills: readonly SourcedSkill[], wanted: WantedSkills): PromptSkill[] =>
  matchingSkills(skills, wanted).map(promptSkill);

/** As one text, each skill under its name. */
export const skillsText = (skills: readonly PromptSkill[]): string =>
  skills.map((skill) => `# ${skill.name}\n\n${sectionsText(skill, '##')}`).join('\n\n');
