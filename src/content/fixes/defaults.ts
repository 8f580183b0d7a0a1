import { isMap } from '../../text/json.ts';
import { isBlank } from '../rules/expression-values.ts';
import { parseFieldPath } from '../rules/field-path.ts';
import type { TemplateDefinition } from '../template/index.ts';
import type { Proposal, Subject } from './types.ts';
import { valueAt } from './value-at.ts';

interface Wanted {
  path: string[];
  isError: boolean;
}

/** Required by the template or one of its rules; those inside lists have no default of their own. */
function wantedFields({ fields, rules }: TemplateDefinition): Wanted[] {
  const wanted = new Map<string, Wanted>();
  const add = (path: string[], isError: boolean) => {
    const key = path.join('.');
    wanted.set(key, { path, isError: isError || wanted.get(key)?.isError === true });
  };
  for (const { name, required } of fields) if (required) add([name], true);
  for (const rule of rules) {
    if (rule.check.kind !== 'required_field') continue;
    for (const path of rule.fields.flatMap((field) => [parseFieldPath(field) ?? []])) {
      if (fields.some(({ name }) => name === path[0])) add(path, rule.severity === 'error');
    }
  }
  return [...wanted.values()];
}

/** Only if the template has a real default. */
export function proposeDefaults({ template, content }: Subject): Proposal[] {
  const defaults = Object.fromEntries(template.fields.map((field) => [field.name, field.default]));
  return wantedFields(template).flatMap(({ path, isError }): Proposal[] => {
    const inner = path.length > 1;
    if (inner && !isMap(valueAt(content.own_fields, path.slice(0, -1)))) return [];
    if (!isBlank(valueAt(content.own_fields, path))) return [];
    const value = valueAt(defaults, path);
    if (!isBlank(value)) {
      const reason = 'is required, and the template has a default for it';
      return [{ kind: 'missing_default', path, action: 'set', value: structuredClone(value), reason }];
    }
    const reason = 'is required and empty, and the template has no default for it';
    return isError ? [{ kind: 'missing_default', path, action: 'refuse', reason }] : [];
  });
}
