import { shortened } from '../findings/index.ts';
import type { TemplateDefinition } from '../template/types.ts';
import {
  checkCount,
  checkPattern,
  checkRange,
  checkRequired,
  type Fault,
  missingReference,
} from './checks.ts';
import { compileExpression } from './expression.ts';
import { type FieldPlace, parseFieldPath, placesOf } from './field-path.ts';
import { isReferenceRule, namedBy, stepsOf } from './named.ts';
import { compilePattern } from './pattern.ts';
import type { AppliedRule, EntityExists, RuleFinding, RuleSubject } from './types.ts';

type Check = (subject: RuleSubject, exists: EntityExists) => Fault[];

export interface CompiledRule {
  rule: AppliedRule;
  /** It asks about other entities. */
  isReference: boolean;
  check: Check;
}

export interface CompiledRules {
  runnable: readonly CompiledRule[];
  advisory: readonly AppliedRule[];
}

const MOST_FAULTS = 50;

const made = new WeakMap<TemplateDefinition, CompiledRules>();

/** Once per template. */
export function compiledRules(template: TemplateDefinition): CompiledRules {
  const known = made.get(template);
  if (known) return known;
  const compiled = template.rules.map((rule) => compileRule(rule, template));
  const rules = {
    runnable: compiled.filter((one) => one !== null),
    advisory: template.rules.filter((_, index) => compiled[index] === null),
  };
  made.set(template, rules);
  return rules;
}

/** Only the rules that `picks` accepts. */
export function runRules(
  template: TemplateDefinition,
  subject: RuleSubject,
  exists: EntityExists,
  picks: (rule: CompiledRule) => boolean = () => true,
): RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const compiled of compiledRules(template).runnable) {
    if (!picks(compiled)) continue;
    for (const fault of compiled.check(subject, exists).slice(0, MOST_FAULTS)) {
      findings.push(findingOf(compiled.rule, fault));
    }
  }
  return findings;
}

export function findingOf(rule: AppliedRule, { path, value, message, unable = false }: Fault): RuleFinding {
  const told = unable ? `the rule could not be checked: ${message}` : rule.message;
  return {
    kind: rule.id,
    field: path.length === 0 ? null : path.join('.'),
    path,
    severity: unable && rule.severity === 'error' ? 'warning' : rule.severity,
    message:
      told ??
      (rule.description === '' || message === rule.description ? message : `${message}. ${rule.description}`),
    value: shortened(value ?? null),
    ...(unable && { unable: rule.path }),
  };
}

function compileRule(rule: AppliedRule, template: TemplateDefinition): CompiledRule | null {
  const check = checkOf(rule, template);
  return check && { rule, isReference: isReferenceRule(rule), check };
}

function checkOf(rule: AppliedRule, template: TemplateDefinition): Check | null {
  const { check } = rule;
  switch (check.kind) {
    case 'required_field':
      return atFields(rule, checkRequired);
    case 'range':
      return atFields(rule, (place) => checkRange(place, check.min, check.max));
    case 'min_count':
      return atFields(rule, (place) => checkCount(place, check.min_count));
    case 'regex': {
      const compiled = compilePattern(check.pattern);
      if (!compiled.ok) return null;
      return atFields(rule, (place) => checkPattern(place, compiled.pattern, check.pattern));
    }
    case 'reference_exists':
      return referenceCheck(rule, template);
    case 'custom':
      return customCheck(rule, check.expression);
    default:
      return null;
  }
}

const isSlip = ({ slips = [] }: AppliedRule, name: string): boolean =>
  slips.some((slip) => slip.name === name);

function atFields(rule: AppliedRule, check: (place: FieldPlace) => Fault[]): Check {
  const paths = rule.fields.map((field) => ({
    steps: parseFieldPath(field) ?? [],
    isSlip: isSlip(rule, field),
  }));
  return (subject) =>
    paths.flatMap(({ steps, isSlip: onlyGiven }) =>
      placesOf(subject, steps)
        .filter(({ value }) => !onlyGiven || value !== undefined)
        .flatMap(check),
    );
}

function referenceCheck(rule: AppliedRule, template: TemplateDefinition): Check {
  return (subject, exists) =>
    namedBy(rule, template, subject)
      .filter(({ type, id }) => !exists(type, id))
      .map(missingReference);
}

/** To explain why the expression could not be run. */
function emptyOf({ fields }: RuleSubject, names: ReadonlySet<string>): string {
  const empty = [...names].filter((name) => (fields[name] ?? null) === null);
  return empty.length === 0 ? '' : `; ${empty.join(', ')} ${empty.length === 1 ? 'is' : 'are'} empty`;
}

function customCheck(rule: AppliedRule, source: string): Check | null {
  const compiled = compileExpression(source);
  if (!compiled.ok) return null;
  const { expression } = compiled;
  const paths = stepsOf(rule);
  const message = rule.description || `${source} is not true`;
  const slips = [...expression.fields].filter((name) => isSlip(rule, name));
  return (subject) => {
    if (slips.some((name) => !Object.hasOwn(subject.fields, name))) return [];
    const places =
      paths.length === 0 ? [{ path: [], value: null }] : paths.flatMap((steps) => placesOf(subject, steps));
    return places.flatMap(({ path, value }) => {
      const verdict = expression.run(subject, value);
      if ('unable' in verdict) {
        return [{ path, value, message: verdict.unable + emptyOf(subject, expression.fields), unable: true }];
      }
      return verdict.holds ? [] : [{ path, value, message }];
    });
  };
}
