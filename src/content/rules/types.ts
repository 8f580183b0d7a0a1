import type { Finding, Severity } from '../findings/index.ts';

/** Words of spec 1 §2.3; files may hold others, which are kept. */
export const RULE_CATEGORIES = ['validation', 'generation', 'consistency', 'style'] as const;
export const RULE_PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export const VALIDATION_TYPES = [
  'required_field',
  'range',
  'min_count',
  'regex',
  'reference_exists',
  'custom',
] as const;
export type ValidationType = (typeof VALIDATION_TYPES)[number];

/**
 * What a rule makes a machine do. `advisory`: nothing, it speaks to people and AI; `reason` says why, `broken` that a
 * check was meant.
 */
export type RuleCheck =
  | { kind: 'required_field' }
  | { kind: 'range'; min: number | null; max: number | null }
  | { kind: 'min_count'; min_count: number }
  | { kind: 'regex'; pattern: string }
  | { kind: 'reference_exists'; reference_type: string | null }
  | { kind: 'custom'; expression: string }
  | { kind: 'advisory'; reason: string; broken: boolean };

/** One rule as its file states it (spec 1 §2.3), read tolerantly. Plain data: it crosses threads. */
export interface Rule {
  id: string;
  category: string;
  /** As given; '' where the file gives none. */
  priority: string;
  /** As given; null where the file gives none. */
  validation_type: string | null;
  /** Fields or entity types, as given. */
  applies_to: readonly string[];
  /** The field that a `field` key names beside `applies_to`. */
  field: string | null;
  description: string;
  message: string | null;
  /** Null: it follows from the priority. */
  severity: Severity | null;
  enabled: boolean;
  check: RuleCheck;
  /** The other keys as the file has them: those that its check reads, and those that are only kept. */
  given: Readonly<Record<string, unknown>>;
  /** File and line (from 1) where the rule stands. */
  path: string;
  line: number;
}

/** A rule in force for one type. `fields`: dotted paths that it looks at, none for the entity as a whole. */
export interface AppliedRule extends Rule {
  severity: Severity;
  fields: readonly string[];
  /** Fields that it probably misspells, with the message for its author. */
  slips?: readonly { name: string; message: string }[];
}

/** Something a rule file's author should know; the file is used all the same. */
export interface RuleProblem {
  message: string;
  severity: 'error' | 'warning';
  line: number;
}

/** A rule file as read. */
export interface RuleDocument {
  /** Path from the project's root, such as `_Rules/CHARACTER_RULES.md`. */
  path: string;
  /** `character`, `content`, `world_lore`. */
  key: string;
  /** Null: all types. */
  entity_type: string | null;
  enabled: boolean;
  system_prompt: string;
  rules: Rule[];
  /** Text for people and AI. */
  body: string;
  problems: RuleProblem[];
}

export type ParsedRules =
  | { ok: true; document: RuleDocument }
  | { ok: false; problem: { reason: string; line: number; column: number } };

/** An entity as rules see it: the same as its reply. */
export interface RuleSubject {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
  primary_asset: string | null;
  production_status: unknown;
}

/** One place where an entity breaks a rule, or where a rule could not be run. */
export interface RuleFinding extends Finding {
  /** Dotted path; null: the entity as a whole. */
  field: string | null;
  /** Keys and list places, to find the line. */
  path: readonly (string | number)[];
  /** The value there, cut short. */
  value: unknown;
  /** The rule's file, where the rule itself could not be checked. */
  unable?: string;
}

/** True if an entity exists; a null type means any type. */
export type EntityExists = (entityType: string | null, entityId: string) => boolean;
