import { RULE_PRIORITIES, RULE_SEVERITIES, type RuleSeverity } from './types.ts';

export type PrioritySeverities = Readonly<Record<(typeof RULE_PRIORITIES)[number], RuleSeverity>>;

export const DEFAULT_SEVERITIES: PrioritySeverities = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'info',
};

/** A severity by its words; null for other words. */
export function readSeverity(word: unknown): RuleSeverity | null {
  if (typeof word !== 'string') return null;
  const text = word.trim().toLowerCase();
  if (text === 'suggestion' || text === 'hint') return 'info';
  return RULE_SEVERITIES.find((severity) => severity === text) ?? null;
}

/** The severity that a priority means; of none or an unknown one that of `medium`. */
export function severityOfPriority(priority: string, severities: PrioritySeverities): RuleSeverity {
  const word = priority.trim().toLowerCase();
  return severities[RULE_PRIORITIES.find((known) => known === word) ?? 'medium'];
}
