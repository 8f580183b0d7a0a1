import type { AnswerChange, AnswerProblem } from '../../content/ai/index.ts';
import { entityFromDocument, newDocumentData, type ValidationError } from '../../content/entity/index.ts';
import type { Gathered } from './gather.ts';

/** Placeholder for checking an entity that has no id yet. */
const NO_ID = 'new_entity';

/** Objections of types and rules that a change brings, as far as the model can do something about them. */
export function ruleProblems(gathered: Gathered, change: AnswerChange, today: string): AnswerProblem[] {
  const { entity, target } = gathered;
  const before = new Set(entity === null ? [] : errorsOf(gathered, null, today).map(keyOf));
  const isAsked = (field: string | null) => target.fields.some(({ name }) => name === field?.split('.')[0]);
  return errorsOf(gathered, change, today)
    .filter((error) => isAsked(error.field) && !before.has(keyOf(error)))
    .map(({ field, message }) => ({ path: `fields.${field}`, message }));
}

const keyOf = ({ field, message, rule_id }: ValidationError): string => `${field}\n${rule_id ?? message}`;

function errorsOf(
  { template, entity, data }: Gathered,
  change: AnswerChange | null,
  today: string,
): ValidationError[] {
  const fields = change?.fields ?? {};
  const name = change?.name ?? entity?.name ?? '';
  const whole =
    entity === null
      ? newDocumentData(template, { entity_id: NO_ID, name, status: 'active', fields, today })
      : { ...data, ...fields };
  const { validation_errors: errors } = entityFromDocument(template, {
    data: whole,
    body: change?.markdown_body ?? entity?.markdown_body ?? '',
    folderId: entity?.entity_id ?? NO_ID,
  });
  return errors.filter(({ severity, code }) => severity === 'error' && code === 'rule');
}
