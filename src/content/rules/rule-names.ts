import { didYouMean } from '../../text/near.ts';
import type { FieldDefinition } from '../template/types.ts';
import { compileExpression } from './expression.ts';
import { ATTRIBUTE_NAMES, isAttribute, parseFieldPath } from './field-path.ts';
import type { Rule } from './types.ts';

type KnownField = Pick<FieldDefinition, 'name' | 'properties'>;

/** A type as rules see it. */
export interface RuledType {
  entity_type: string;
  fields: readonly KnownField[];
}

/** A name in a rule that nothing has. */
export interface NameFault {
  /** The key of the rule that it stands in. */
  key: 'applies_to' | 'field' | 'expression' | 'reference_type';
  name: string;
  /** Follows the rule's name, as in `names "wnat", which is no field of character`. */
  message: string;
  /** True if a known name is near: then it is a slip, and no field of the entities' own. */
  isNear: boolean;
}

/** The keys of a rule that mean something; a file may have others, which are kept. */
const RULE_KEYS: readonly string[] = [
  ...['id', 'category', 'priority', 'severity', 'validation_type', 'applies_to', 'field', 'description'],
  ...['message', 'min', 'max', 'min_count', 'pattern', 'reference_type', 'expression', 'enabled'],
];

/** The known keys that mistyped ones mean. A key that is near to none is the author's own. */
export function keySlips(rule: Readonly<Record<string, unknown>>): { key: string; message: string }[] {
  return Object.keys(rule).flatMap((key) => {
    if (RULE_KEYS.includes(key) || OTHER_WORDS.has(key)) return [];
    const near = didYouMean(key, RULE_KEYS);
    return near === '' ? [] : [{ key, message: `is no key of a rule${near}` }];
  });
}

/** Keys of older files and of replies about a rule; they resemble other keys by chance. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  ...['rule', 'text', 'executable', 'reason', 'check', 'line', 'file', 'entity_types'],
]);

/** Words of `applies_to` that mean every entity. */
export const EVERYTHING: ReadonlySet<string> = new Set(['all', 'any', '*', 'entity', 'entities']);

/** The step of a path that leaves the typed fields, and the names known there; lists are entered implicitly. */
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
  const where = kinds.length === 1 ? `no field of ${kinds[0]?.entity_type}` : 'no field of any type';
  const near = didYouMean(first.step, steps.length === 1 ? [...known, ...ATTRIBUTE_NAMES, ...others] : known);
  return [{ key, name: text, message: `names "${text}", which is ${where}${near}`, isNear: near !== '' }];
}

const asked = new Map<string, readonly string[]>();
const MOST_KEPT = 2_000;

/** The fields that an expression asks for. */
function fieldsAsked(source: string): readonly string[] {
  const known = asked.get(source);
  if (known !== undefined) return known;
  const compiled = compileExpression(source);
  const names = compiled.ok ? [...compiled.expression.fields] : [];
  if (asked.size >= MOST_KEPT) asked.clear();
  asked.set(source, names);
  return names;
}

/**
 * Names in a rule that nothing has: fields that none of its types knows, and types that there are not. `fileType`: the type
 * whose file it stands in; null for a file for all types.
 */
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
            message: `names the type "${wanted}", which there is not${near}`,
            isNear: near !== '',
          },
        ]),
  ];
}

const found = new WeakMap<Rule, { types: ReadonlyMap<string, RuledType>; faults: readonly NameFault[] }>();

/** The same, looked for once as long as neither the rule nor the types change. */
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
 * The names in a rule that most likely mean others. Fields among them are looked at only where an entity has them: for all
 * others the same fault would be found, and it is the rule's. No entity can refer to a type that there is not.
 */
export const slipsIn = (
  rule: Rule,
  fileType: string | null,
  types: ReadonlyMap<string, RuledType>,
): readonly NameFault[] =>
  rule.check.kind === 'advisory' ? [] : nameFaults(rule, fileType, types).filter(({ isNear }) => isNear);
