import { compileExpression } from './expression.ts';
import { parseFieldPath } from './field-path.ts';
import { compilePattern } from './pattern.ts';
import { readSeverity } from './severity.ts';
import { RULE_CATEGORIES, RULE_PRIORITIES, VALIDATION_TYPES } from './types.ts';

export interface RuleFault {
  field: string;
  message: string;
}

type Given = Readonly<Record<string, unknown>>;

/** Reserved by routes. */
const RESERVED_IDS: ReadonlySet<string> = new Set(['markdown', 'system-prompt', 'revisions']);
const RULE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** Files may hold such rules: reading is tolerant, writing strict. */
export function checkRuleForWrite(rule: Given): RuleFault[] {
  const faults: RuleFault[] = [];
  const fault = (field: string, message: string) => void faults.push({ field, message });
  if (typeof rule.id !== 'string' || !RULE_ID.test(rule.id)) {
    fault('id', 'must be letters, digits, dots, hyphens and underscores, at most 100');
  }
  if (typeof rule.id === 'string' && RESERVED_IDS.has(rule.id))
    fault('id', `"${rule.id}" is reserved for a route; choose another`);
  if (typeof rule.description !== 'string' || rule.description.trim() === '')
    fault('description', 'must say the rule');
  checkWord(rule, 'category', RULE_CATEGORIES, fault);
  checkWord(rule, 'priority', RULE_PRIORITIES, fault);
  checkWord(rule, 'validation_type', VALIDATION_TYPES, fault);
  if (rule.severity !== undefined && readSeverity(rule.severity) === null) {
    fault('severity', 'must be error, warning or info');
  }
  for (const key of ['message', 'field', 'reference_type'])
    if (rule[key] !== undefined && typeof rule[key] !== 'string') fault(key, 'must be text');
  if (rule.enabled !== undefined && typeof rule.enabled !== 'boolean')
    fault('enabled', 'must be true or false');
  checkTarget(rule, fault);
  checkDetails(rule, fault);
  return faults;
}

type Complain = (field: string, message: string) => void;

function checkWord(rule: Given, key: string, words: readonly string[], fault: Complain): void {
  const value = rule[key];
  if (value === undefined) return;
  if (typeof value !== 'string' || !words.includes(value)) fault(key, `must be one of ${words.join(', ')}`);
}

function checkTarget(rule: Given, fault: Complain): void {
  const given = rule.applies_to ?? [];
  const targets: unknown[] = Array.isArray(given) ? given : [given];
  if (!targets.every((target) => typeof target === 'string' && parseFieldPath(target) !== null)) {
    fault('applies_to', 'must name a field, such as summary or stages.name, or a list of fields or types');
  }
  const looksAtField = rule.validation_type !== undefined && rule.validation_type !== 'custom';
  if (looksAtField && targets.length === 0 && rule.field === undefined) {
    fault('applies_to', `a ${rule.validation_type} rule needs the field to look at`);
  }
}

function checkDetails(rule: Given, fault: Complain): void {
  switch (rule.validation_type) {
    case 'range':
      checkRange(rule, fault);
      break;
    case 'min_count':
      if (!isNumber(rule.min_count) || !Number.isInteger(rule.min_count) || rule.min_count < 0) {
        fault('min_count', 'must be a whole number, 0 or more');
      }
      break;
    case 'regex':
      checkSource(rule, 'pattern', compilePattern, fault);
      break;
    case 'custom':
      checkSource(rule, 'expression', compileExpression, fault);
      break;
  }
}

function checkRange({ min, max }: Given, fault: Complain): void {
  for (const [key, value] of Object.entries({ min, max })) {
    if (value !== undefined && !isNumber(value)) fault(key, 'must be a number');
  }
  if (min === undefined && max === undefined) fault('min', 'a range rule needs min or max');
  if (isNumber(min) && isNumber(max) && min > max) fault('min', 'must not be larger than max');
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function checkSource(
  rule: Given,
  key: string,
  compile: (source: string) => { ok: true } | { ok: false; reason: string },
  fault: Complain,
): void {
  const source = rule[key];
  if (typeof source !== 'string' || source === '') fault(key, `a ${rule.validation_type} rule needs it`);
  else {
    const compiled = compile(source);
    if (!compiled.ok) fault(key, compiled.reason);
  }
}
