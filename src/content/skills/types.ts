import type { JsonMap } from '../../text/json.ts';

/** Plans that a skill may ask for (spec 2 §2.1), from the least to the most; files may give the position. */
export const SKILL_TIERS = ['free', 'indie', 'team', 'enterprise'] as const;
export type SkillTier = (typeof SKILL_TIERS)[number];

/** `user` is what a person would ask; the others are for the system message. */
export const PROMPT_PARTS = ['system', 'task', 'output_format', 'examples', 'user'] as const;
export type SkillPrompts = Readonly<Record<(typeof PROMPT_PARTS)[number], string>>;

/** As its file or registry record states it (spec 2 §2.1, §2.3), read tolerantly. Plain data. */
export interface Skill {
  skill_id: string;
  name: string;
  description: string;
  version: string;
  category: string | null;
  tags: readonly string[];
  capabilities: readonly string[];
  /** Entity types and kinds of documents, folded; none means all of them. */
  applies_to: readonly string[];
  min_tier: SkillTier;
  enabled: boolean;
  prompts: SkillPrompts;
  rules: readonly string[];
  workflows: readonly string[];
  parameters: JsonMap;
}

/** For the author of a file that is used all the same. `line` counts from 1. */
export interface SkillProblem {
  message: string;
  line: number;
}

export type ParsedSkill =
  | { ok: true; skill: Skill; problems: readonly SkillProblem[] }
  | { ok: false; problem: { reason: string; line: number; column: number } };

/** Where a skill comes from. A later source replaces a skill of the same id from an earlier one. */
export const SKILL_SOURCES = ['builtin', 'registry', 'template_pack', 'file'] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];

export interface SourcedSkill {
  skill: Skill;
  source: SkillSource;
}

/** One skill's part of a prompt; empty texts add nothing. */
export interface PromptSkill extends SkillPrompts {
  skill_id: string;
  name: string;
  source: SkillSource;
  parameters: JsonMap;
}
