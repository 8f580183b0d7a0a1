import { runRules } from '../rules/run.ts';
import type { RuleFinding, RuleSubject } from '../rules/types.ts';
import type { LineOf, TemplateDefinition } from '../template/index.ts';
import type { ValidationError } from './types.ts';

const unasked = (): boolean => true;

/** Of severity `error` and answerable by the entity alone: these make it invalid. Only validations report the rest. */
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
