import { runRules } from '../rules/run.ts';
import type { RuleFinding, RuleSubject } from '../rules/types.ts';
import type { LineOf, TemplateDefinition } from '../template/index.ts';
import type { ValidationError } from './types.ts';

const unasked = (): boolean => true;

/**
 * The broken rules of severity `error` that need nothing but the entity itself: they make it invalid. Warnings and
 * hints are told by a validation alone.
 */
export function ruleErrors(
  template: TemplateDefinition,
  subject: RuleSubject,
  lineOf: LineOf | undefined,
): ValidationError[] {
  if (template.rules.length === 0) return [];
  const findings = runRules(
    template,
    subject,
    unasked,
    ({ rule, isReference }) => rule.severity === 'error' && !isReference,
  );
  return findings.filter(({ severity }) => severity === 'error').map((finding) => errorOf(finding, lineOf));
}

/** A broken rule as an entity's reply tells it. */
export function errorOf(
  { field, path, message, kind }: RuleFinding,
  lineOf: LineOf | undefined,
): ValidationError {
  const line = path.length === 0 ? undefined : lineOf?.(path);
  return {
    field,
    message,
    code: 'rule',
    ...(line === undefined ? {} : { line }),
    severity: 'error',
    rule_id: kind,
  };
}
