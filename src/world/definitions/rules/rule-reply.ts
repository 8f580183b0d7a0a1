import {
  type Rule,
  type RuleDocument,
  type RuleSettings,
  ruleName,
  slipsIn,
} from '../../../content/rules/index.ts';
import { severityOfPriority } from '../../../content/rules/severity.ts';
import type { TemplateSet } from '../registry/template-set.ts';

/** Computed fields of a reply, which are never written to the file. */
export const COMPUTED: ReadonlySet<string> = new Set([
  ...['executable', 'reason', 'check', 'line', 'file', 'entity_types'],
]);

const isOn = (document: RuleDocument, rule: Rule, settings: RuleSettings): boolean =>
  settings.enabled &&
  document.enabled &&
  !settings.disabled_files.includes(document.key) &&
  rule.enabled &&
  !settings.disabled_rules.includes(ruleName(document, rule));

/** Files may put numbers in quotes. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Why the rule is not evaluated; null if it is. */
function reasonOf({ types }: TemplateSet, { entity_type }: RuleDocument, rule: Rule): string | null {
  if (rule.check.kind === 'advisory') return rule.check.reason;
  const lost = slipsIn(rule, entity_type, types).find(({ key }) => key === 'reference_type');
  return lost === undefined ? null : `it ${lost.message}`;
}

/** A rule in a reply: the keys of spec 1 §2.3 and any others from its file. */
export function ruleReply(set: TemplateSet, document: RuleDocument, rule: Rule, settings: RuleSettings) {
  const { id, category, priority, validation_type, applies_to, field, description, message, given } = rule;
  const { min, max, min_count, pattern, reference_type, expression, ...others } = given;
  const said = settings.rule_severities[ruleName(document, rule)] ?? rule.severity;
  const reason = reasonOf(set, document, rule);
  return {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => !COMPUTED.has(key))),
    id,
    category,
    priority,
    severity: said ?? severityOfPriority(priority, settings.severities),
    validation_type,
    applies_to: [...applies_to],
    field,
    description,
    message,
    min: numberOf(min),
    max: numberOf(max),
    min_count: numberOf(min_count),
    pattern: textOf(pattern),
    reference_type: textOf(reference_type),
    expression: textOf(expression),
    enabled: isOn(document, rule, settings),
    executable: reason === null,
    reason,
  };
}
