import { isAttribute, topOf } from './field-path.ts';
import { EVERYTHING, type RuledType, slipsIn } from './rule-names.ts';
import { type RuleSettings, ruleName } from './settings.ts';
import { severityOfPriority } from './severity.ts';
import type { AppliedRule, Rule, RuleCheck, RuleDocument } from './types.ts';

/** A custom expression or an advice may be about the whole entity. */
const needsField = ({ check }: Rule): boolean => check.kind !== 'custom' && check.kind !== 'advisory';

/**
 * From the type's own file and those for all types, as settings switch them. `types` are the existing types, since
 * `applies_to` may name a type or a field.
 */
export function rulesOfType(
  type: RuledType,
  documents: readonly RuleDocument[],
  settings: RuleSettings,
  types: ReadonlyMap<string, RuledType>,
): AppliedRule[] {
  if (!settings.enabled) return [];
  return documents
    .filter(({ entity_type }) => entity_type === null || entity_type === type.entity_type)
    .filter(({ key, enabled }) => enabled && !settings.disabled_files.includes(key))
    .flatMap((document) =>
      document.rules.flatMap((rule) => {
        const name = ruleName(document, rule);
        if (!rule.enabled || settings.disabled_rules.includes(name)) return [];
        const placed = place(rule, type, document.entity_type, types);
        if (placed === null) return [];
        const severity =
          settings.rule_severities[name] ??
          rule.severity ??
          severityOfPriority(rule.priority, settings.severities);
        return [{ ...placed, severity }];
      }),
    );
}

const broken = (message: string): RuleCheck => ({ kind: 'advisory', reason: `it ${message}`, broken: true });

/** With the fields that it checks in a type; null if it does not concern the type. */
function place(
  rule: Rule,
  type: RuledType,
  fileType: string | null,
  types: ReadonlyMap<string, RuledType>,
): Omit<AppliedRule, 'severity'> | null {
  const hasField = (path: string) => {
    const top = topOf(path);
    return isAttribute(top) || type.fields.some((field) => field.name === top);
  };
  const words = rule.applies_to.filter((word) => !EVERYTHING.has(word));
  const scopes = words.filter(isScope(rule, words, { type, fileType, types, hasField }));
  if (scopes.length > 0 && !scopes.includes(type.entity_type)) return null;
  const named = rule.field === null ? words.filter((word) => !scopes.includes(word)) : [rule.field];
  // A file for all types ignores fields that this type lacks.
  const fields = fileType === null ? named.filter(hasField) : named;
  if (fileType === null && named.length > 0 && fields.length === 0) return null;
  const slips = slipsIn(rule, fileType, types);
  const lost = slips.find(({ key }) => key === 'reference_type');
  if (lost !== undefined) return { ...rule, fields, check: broken(lost.message) };
  const told = slips.length === 0 ? {} : { slips: slips.map(({ name, message }) => ({ name, message })) };
  if (fields.length > 0 || !needsField(rule)) return { ...rule, fields, ...told };
  return {
    ...rule,
    fields,
    check: { kind: 'advisory', reason: 'it names no field to look at', broken: true },
  };
}

interface ScopeContext {
  type: RuledType;
  /** Null for a file for all types. */
  fileType: string | null;
  types: ReadonlyMap<string, RuledType>;
  hasField(word: string): boolean;
}

/**
 * True if a word of `applies_to` means a type. In a type's own file only that type counts. In a file for all types, names
 * of types do, unless nothing else says which field to check and the type has one of that name.
 */
function isScope(
  rule: Rule,
  words: readonly string[],
  { type, fileType, types, hasField }: ScopeContext,
): (word: string) => boolean {
  if (fileType !== null) return (word) => word === type.entity_type && !hasField(word);
  const meansFields = rule.field === null && needsField(rule) && words.every((word) => types.has(word));
  return (word) => types.has(word) && !(meansFields && hasField(word));
}
