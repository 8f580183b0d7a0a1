import { didYouMean } from '../../text/near.ts';
import type { FieldDefinition } from '../template/types.ts';
import { compileExpression } from './expression.ts';
import { ATTRIBUTE_NAMES, isAttribute, parseFieldPath } from './field-path.ts';
import type { Rule } from './types.ts';

type KnownField = Pick<FieldDefinition, 'name' | 'properties'>;

/** As rules see it. */
export interface RuledType {
  entity_type: string;
  fields: readonly KnownField[];
}

/** A name that nothing has. */
export interface NameFault {
  /** The rule's key that holds it. */
  key: 'applies_to' | 'field' | 'expression' | 'reference_type';
  name: string;
  /** Follows the rule's name, as in `names "wnat", which is no field of character`. */
  message: string;
  /** If so, it is a slip and not a field of the entities' own. */
  isNear: boolean;
}

/** Other keys are kept. */
const RULE_KEYS: readonly string[] = [
  ...['id', 'category', 'priority', 'severity', 'validation_type', 'applies_to', 'field', 'description'],
  ...['message', 'min', 'max', 'min_count', 'pattern', 'reference_type', 'expression', 'enabled'],
];

/** A key that is near to none is the author's own. */
export function keySlips(rule: Readonly<Record<string, unknown>>): { key: string; message: string }[] {
  return Object.keys(rule).flatMap((key) => {
    if (RULE_KEYS.includes(key) || OTHER_WORDS.has(key)) return [];
    const near = didYouMean(key, RULE_KEYS);
    return near === '' ? [] : [{ key, message: `is not a key of a rule${near}` }];
  });
}

/** Keys of older files and of replies about a rule, which resemble other keys by chance. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  ...['rule', 'text', 'executable', 'reason', 'check', 'line', 'file', 'entity_types'],
]);

/** These mean every entity. */
export const EVERYTHING: ReadonlySet<string> = new Set(['all', 'any', '*', 'entity', 'entities']);

/** Where a path leaves the typed fields, with the names known there. Lists are entered implicitly. */
function lostStep(
  fields: readonly KnownField[],
  steps: readonly string[],
): { step: string; known: string[] } | undefined {
  let known = fields;
  for (const step of steps.filter((one) => one !== '*' && !/^\d+$/.test(one))) {
    const field = known.find(({ name }) => name === step);
    if (field === undefined) return { step, known: known.map(({ name }) => name) };
    if (field.properties === undefined || field.properties.length === 0) return undefined;
    known = field.properties;
  }
  return undefined;
}

function fieldFault(
  text: string,
  key: NameFault['key'],
  kinds: readonly RuledType[],
  others: Iterable<string>,
): NameFault[] {
  const steps = parseFieldPath(text);
  if (steps === null || isAttribute(steps[0] ?? '') || kinds.length === 0) return [];
  const lost = kinds.map(({ fields }) => lostStep(fields, steps));
  const [first] = lost;
  if (first === undefined || lost.includes(undefined)) return [];
  const known = lost.flatMap((one) => one?.known ?? []);
  const where = kinds.length === 1 ? `not a field of ${kinds[0]?.entity_type}` : 'not a field of any type';
  const near = didYouMean(first.step, steps.length === 1 ? [...known, ...ATTRIBUTE_NAMES, ...others] : known);
  return [{ key, name: text, message: `names "${text}", which is ${where}${near}`, isNear: near !== '' }];
}

const asked = new Map<string, readonly string[]>();
const MOST_KEPT = 2_000;

function fieldsAsked(source: string): readonly string[] {
  const known = asked.get(source);
  if (known !== undefined) return known;
  const compiled = compileExpression(source);
  const names = compiled.ok ? [...compiled.expression.fields] : [];
  if (asked.size >= MOST_KEPT) asked.clear();
  asked.set(source, names);
  return names;
}

/** Fields that none of the rule's types knows, and missing types. `fileType` is null for a file for all types. */
function findFaults(rule: Rule, fileType: string | null, types: ReadonlyMap<string, RuledType>): NameFault[] {
  const words = rule.applies_to.filter((word) => !EVERYTHING.has(word));
  const isScope = (word: string) => (fileType === null ? types.has(word) : word === fileType);
  const scopes = fileType === null ? words.filter(isScope) : [fileType];
  const kinds = (scopes.length > 0 ? scopes : [...types.keys()]).flatMap((type) => types.get(type) ?? []);
  const { check } = rule;
  const wanted = check.kind === 'reference_exists' ? check.reference_type : null;
  const isKnownType = wanted === null || types.has(wanted);
  const near = isKnownType ? '' : didYouMean(wanted, types.keys());
  const scopeNames = fileType === null ? types.keys() : [];
  return [
    ...words
      .filter((word) => !isScope(word))
      .flatMap((word) => fieldFault(word, 'applies_to', kinds, scopeNames)),
    ...(rule.field === null ? [] : fieldFault(rule.field, 'field', kinds, [])),
    ...(check.kind === 'custom'
      ? fieldsAsked(check.expression).flatMap((name) => fieldFault(name, 'expression', kinds, []))
      : []),
    ...(isKnownType
      ? []
      : [
          {
            key: 'reference_type' as const,
            name: wanted,
            message: `names the type "${wanted}", which does not exist${near}`,
            isNear: near !== '',
          },
        ]),
  ];
}

const found = new WeakMap<Rule, { types: ReadonlyMap<string, RuledType>; faults: readonly NameFault[] }>();

/** Cached for as long as neither the rule nor the types change. */
export function nameFaults(
  rule: Rule,
  fileType: string | null,
  types: ReadonlyMap<string, RuledType>,
): readonly NameFault[] {
  const known = found.get(rule);
  if (known?.types === types) return known.faults;
  const faults = findFaults(rule, fileType, types);
  found.set(rule, { types, faults });
  return faults;
}

/**
 * Names that most likely are misspelled. A field is checked only where an entity has it: elsewhere it would be the same
 * fault again. A missing type has no entities.
 */
export const slipsIn = (
  rule: Rule,
  fileType: string | null,
  types: ReadonlyMap<string, RuledType>,
): readonly NameFault[] =>
  rule.check.kind === 'advisory' ? [] : nameFaults(rule, fileType, types).filter(({ isNear }) => isNear);
