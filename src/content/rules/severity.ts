import { SEVERITIES, type Severity } from '../findings/index.ts';
import { RULE_PRIORITIES } from './types.ts';

export type PrioritySeverities = Readonly<Record<(typeof RULE_PRIORITIES)[number], Severity>>;

export const DEFAULT_SEVERITIES: PrioritySeverities = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'info',
};

/** Null for other words. */
export function readSeverity(word: unknown): Severity | null {
  if (typeof word !== 'string') return null;
  const text = word.trim().toLowerCase();
  if (text === 'suggestion' || text === 'hint') return 'info';
  return SEVERITIES.find((severity) => severity === text) ?? null;
}

/** An unknown priority counts as `medium`. */
export function severityOfPriority(priority: string, severities: PrioritySeverities): Severity {
  const word = priority.trim().toLowerCase();
  return severities[RULE_PRIORITIES.find((known) => known === word) ?? 'medium'];
}
