import { isMap, type JsonMap } from '../../text/json.ts';
import { readRule } from './read-rule.ts';

/** As written in the file. */
export interface RuleEntry {
  entry: unknown;
  /** `['rules', 3]`, or `['rules', 'style', 0]` in a file that groups its rules by category. */
  path: readonly (string | number)[];
}

/** In order; older files may group them by category. */
export function ruleEntries({ rules }: JsonMap): RuleEntry[] {
  if (Array.isArray(rules)) return rules.map((entry, index) => ({ entry, path: ['rules', index] }));
  if (!isMap(rules)) return [];
  return Object.entries(rules).flatMap(([category, list]) =>
    Array.isArray(list) ? list.map((entry, index) => ({ entry, path: ['rules', category, index] })) : [],
  );
}

/** In the order of files. */
export type WrittenRule = Readonly<Record<string, unknown>>;

const ORDER = [
  'id',
  'category',
  'priority',
  'severity',
  'validation_type',
  'applies_to',
  'field',
  'description',
  'message',
  'min',
  'max',
  'min_count',
  'pattern',
  'reference_type',
  'expression',
  'enabled',
];

function ordered(rule: WrittenRule): WrittenRule {
  const rank = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return Object.fromEntries(Object.entries(rule).sort(([a], [b]) => rank(a) - rank(b)));
}

/** Ids derived from a rule's text count too. */
export function findRuleEntry(data: JsonMap, id: string): RuleEntry | undefined {
  return ruleEntries(data).find(
    ({ entry }, index) => readRule(entry, { path: '', line: 0, index })?.id === id,
  );
}

/** With the rule at its end. */
export function withNewRule(data: JsonMap, rule: WrittenRule): unknown {
  const { rules } = data;
  if (!isMap(rules)) return [...(Array.isArray(rules) ? rules : []), ordered(rule)];
  const category = typeof rule.category === 'string' ? rule.category : 'validation';
  const list = rules[category];
  return { ...rules, [category]: [...(Array.isArray(list) ? list : []), ordered(rule)] };
}

/** Null removes a key. The description keeps its key `rule` if it had that. */
export function changedRule({ entry }: RuleEntry, id: string, patch: WrittenRule): WrittenRule {
  const present: JsonMap = isMap(entry) ? { ...entry } : { id, rule: entry };
  for (const [key, value] of Object.entries(patch)) {
    const written = key === 'description' && !('description' in present) && 'rule' in present ? 'rule' : key;
    if (value === null) delete present[written];
    else present[written] = value;
  }
  return present;
}

/** With another rule in an entry's place, or none. */
export function withRuleAt(data: JsonMap, { path }: RuleEntry, rule: WrittenRule | null): unknown {
  const replace = (list: readonly unknown[], at: number) => list.toSpliced(at, 1, ...(rule ? [rule] : []));
  const [, place, inside] = path;
  const { rules } = data;
  if (Array.isArray(rules)) return replace(rules, Number(place));
  if (!isMap(rules)) return rules;
  const list = rules[String(place)];
  return { ...rules, [String(place)]: replace(Array.isArray(list) ? list : [], Number(inside)) };
}
