import type { Finding, Severity } from '../findings/index.ts';

/** Spec 1 §2.3; other words are kept. */
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

/** `advisory` is for people and AI, no machine checks it; `reason` says why, and `broken` that a check was meant. */
export type RuleCheck =
  | { kind: 'required_field' }
  | { kind: 'range'; min: number | null; max: number | null }
  | { kind: 'min_count'; min_count: number }
  | { kind: 'regex'; pattern: string }
  | { kind: 'reference_exists'; reference_type: string | null }
  | { kind: 'custom'; expression: string }
  | { kind: 'advisory'; reason: string; broken: boolean };

/** As its file states it (spec 1 §2.3), read tolerantly. Plain data: it crosses threads. */
export interface Rule {
  id: string;
  category: string;
  /** As given, or ''. */
  priority: string;
  /** As given. */
  validation_type: string | null;
  /** Fields or entity types, as given. */
  applies_to: readonly string[];
  /** From the key `field`, beside `applies_to`. */
  field: string | null;
  description: string;
  message: string | null;
  /** Null: it follows from the priority. */
  severity: Severity | null;
  enabled: boolean;
  check: RuleCheck;
  /** Other keys: those that the check reads, and those that are only kept. */
  given: Readonly<Record<string, unknown>>;
  /** With `line`, from 1. */
  path: string;
  line: number;
}

/** In force for one type. `fields` are dotted paths; none means the entity as a whole. */
export interface AppliedRule extends Rule {
  severity: Severity;
  fields: readonly string[];
  /** Probable misspellings, with a message for the author. */
  slips?: readonly { name: string; message: string }[];
}

/** For the file's author; the file is used all the same. */
export interface RuleProblem {
  message: string;
  severity: 'error' | 'warning';
  line: number;
}

export interface RuleDocument {
  /** From the project's root, such as `_Rules/CHARACTER_RULES.md`. */
  path: string;
  /** `character`, `content`, `world_lore`. */
  key: string;
  /** Null: all types. */
  entity_type: string | null;
  enabled: boolean;
  system_prompt: string;
  rules: Rule[];
  /** For people and AI. */
  body: string;
  problems: RuleProblem[];
}

export type ParsedRules =
  | { ok: true; document: RuleDocument }
  | { ok: false; problem: { reason: string; line: number; column: number } };

/** The same as its reply. */
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

/** Where the entity breaks the rule, or the rule could not be run. */
export interface RuleFinding extends Finding {
  /** Dotted path; null: the entity as a whole. */
  field: string | null;
  /** To find the line. */
  path: readonly (string | number)[];
  /** Cut short. */
  value: unknown;
  /** The rule's file, if the rule itself could not be checked. */
  unable?: string;
}

/** A null type means any. */
export type EntityExists = (entityType: string | null, entityId: string) => boolean;
