import { missingReference } from '../rules/checks.ts';
import { bindingReferenceRules, namedBy } from '../rules/named.ts';
import { findingOf } from '../rules/run.ts';
import type { LineOf, TemplateDefinition } from '../template/index.ts';
import { errorOf } from './rule-errors.ts';
import type { EntityContent, ReferenceQuestion } from './types.ts';

const MOST_QUESTIONS = 1_000;

/**
 * From reference rules of severity `error`, each with the fault if the answer is no. Only the file's own values are asked
 * about; validations also report on defaults.
 */
export function questionsOf(
  template: TemplateDefinition,
  content: Omit<EntityContent, 'validation_errors' | 'is_valid'>,
  lineOf: LineOf | undefined,
): ReferenceQuestion[] {
  const rules = bindingReferenceRules(template);
  if (rules.length === 0) return [];
  const own = { ...content, fields: content.own_fields };
  return rules
    .flatMap((rule) =>
      namedBy(rule, template, own)
        .filter(({ path: [top] }) => typeof top === 'string' && Object.hasOwn(content.own_fields, top))
        .map((named) => ({ rule, named })),
    )
    .slice(0, MOST_QUESTIONS)
    .map(({ rule, named }) => ({
      to_type: named.type,
      to_id: named.id,
      error: errorOf(findingOf(rule, missingReference(named)), lineOf),
    }));
}
