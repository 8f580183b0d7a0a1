import { isMap, type JsonMap } from '../../text/json.ts';
import { compileExpression } from './expression.ts';
import { compilePattern } from './pattern.ts';
import { readSeverity } from './severity.ts';
import { isSwitchedOn } from './switch.ts';
import { type Rule, type RuleCheck, VALIDATION_TYPES, type ValidationType } from './types.ts';

const MOST_TEXT = 2_000;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, MOST_TEXT) : '';
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function wordsOf(value: unknown): string[] {
  const words = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return words.flatMap((word) => (typeof word === 'string' && word.trim() !== '' ? [word.trim()] : []));
}

const broken = (reason: string): RuleCheck => ({ kind: 'advisory', reason, broken: true });
const forPeople = (reason: string): RuleCheck => ({ kind: 'advisory', reason, broken: false });

/** Implied by a rule's own keys if it has no `validation_type`. */
function impliedType(map: JsonMap): ValidationType | null {
  if (typeof map.pattern === 'string') return 'regex';
  if (typeof map.expression === 'string') return 'custom';
  if (numberOf(map.min_count) !== null) return 'min_count';
  if (numberOf(map.min) !== null || numberOf(map.max) !== null) return 'range';
  return typeof map.reference_type === 'string' ? 'reference_exists' : null;
}

function checkOf(map: JsonMap, declared: string): RuleCheck {
  const known = VALIDATION_TYPES.find((type) => type === declared.toLowerCase());
  if (known !== undefined) return CHECKS[known](map);
  const implied = declared === '' || readSeverity(declared) !== null ? impliedType(map) : null;
  if (implied !== null) return CHECKS[implied](map);
  return declared === '' || readSeverity(declared) !== null
    ? forPeople('it names no check: people and AI read it')
    : broken(`validation_type "${declared}" is none of ${VALIDATION_TYPES.join(', ')}`);
}

const CHECKS: Readonly<Record<ValidationType, (map: JsonMap) => RuleCheck>> = {
  required_field: () => ({ kind: 'required_field' }),
  range(map) {
    const [min, max] = [numberOf(map.min), numberOf(map.max)];
    if (min === null && max === null) return broken('a range rule needs min or max, a number');
    if (min !== null && max !== null && min > max) return broken(`min ${min} is larger than max ${max}`);
    return { kind: 'range', min, max };
  },
  min_count(map) {
    const count = numberOf(map.min_count) ?? numberOf(map.min);
    if (count === null || count < 0) return broken('a min_count rule needs min_count, a number');
    return { kind: 'min_count', min_count: count };
  },
  regex({ pattern }) {
    if (typeof pattern !== 'string' || pattern === '') return broken('a regex rule needs a pattern');
    const compiled = compilePattern(pattern);
    return compiled.ok ? { kind: 'regex', pattern } : broken(compiled.reason);
  },
  reference_exists: ({ reference_type }) => ({
    kind: 'reference_exists',
    reference_type: textOf(reference_type) === '' ? null : textOf(reference_type).toLowerCase(),
  }),
  custom({ expression }) {
    if (typeof expression !== 'string' || expression.trim() === '') {
      return forPeople('it has no expression: people and AI read it');
    }
    const compiled = compileExpression(expression);
    return compiled.ok ? { kind: 'custom', expression } : broken(compiled.reason);
  },
};

/** Named parts of a rule; all other keys are kept as given. */
const READ: ReadonlySet<string> = new Set([
  ...['id', 'category', 'priority', 'severity', 'validation_type', 'applies_to', 'field'],
  ...['description', 'rule', 'text', 'message', 'enabled'],
]);

/** The words of a rule's text, joined by underscores. */
function idFrom(text: string, index: number): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 6).join('_') || `rule_${index + 1}`;
}

/**
 * Tolerant: text alone is the description, `rule` stands for `description`, and `validation_type` may hold a severity. What
 * cannot be run becomes advisory, with the reason.
 */
export function readRule(entry: unknown, place: { path: string; line: number; index: number }): Rule | null {
  const map: JsonMap | null = isMap(entry) ? entry : typeof entry === 'string' ? { rule: entry } : null;
  if (map === null) return null;
  const { path, line, index } = place;
  const description = textOf(map.description) || textOf(map.rule) || textOf(map.text);
  const declared = textOf(map.validation_type);
  const message = textOf(map.message);
  return {
    id: textOf(typeof map.id === 'number' ? String(map.id) : map.id) || idFrom(description, index),
    category: textOf(map.category).toLowerCase() || 'validation',
    priority: textOf(map.priority).toLowerCase(),
    validation_type: declared === '' ? null : declared,
    applies_to: wordsOf(map.applies_to),
    field: textOf(map.field) === '' ? null : textOf(map.field),
    description,
    message: message === '' ? null : message,
    severity: readSeverity(map.severity) ?? readSeverity(declared),
    enabled: isSwitchedOn(map.enabled),
    check: checkOf(map, declared),
    given: Object.fromEntries(Object.entries(map).filter(([key]) => !READ.has(key))),
    path,
    line,
  };
}
