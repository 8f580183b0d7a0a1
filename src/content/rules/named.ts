import type { FieldDefinition, TemplateDefinition } from '../template/types.ts';
import { type NamedId, namedIds } from './checks.ts';
import { type FieldPlace, parseFieldPath, placesOf } from './field-path.ts';
import type { AppliedRule, RuleSubject } from './types.ts';

export const isReferenceRule = ({ check }: AppliedRule): boolean => check.kind === 'reference_exists';

/** They make an entity invalid if a target does not exist. */
export const bindingReferenceRules = ({ rules }: Pick<TemplateDefinition, 'rules'>): AppliedRule[] =>
  rules.filter((rule) => rule.severity === 'error' && isReferenceRule(rule));

export const stepsOf = ({ fields }: AppliedRule): string[][] =>
  fields.flatMap((field) => [parseFieldPath(field) ?? []]);

/** At any depth. */
function referenceTypeAt(template: TemplateDefinition, steps: readonly string[]): string | null {
  let fields: readonly FieldDefinition[] | undefined = template.fields;
  let found: FieldDefinition | undefined;
  for (const step of steps.filter((name) => name !== '*' && !/^\d+$/.test(name))) {
    const next: FieldDefinition | undefined = fields?.find(({ name }) => name === step);
    if (next === undefined) break;
    found = next;
    fields = next.properties;
  }
  return found?.reference_type ?? null;
}

/** Where a reference rule looks, in the order of its fields. */
export function namedBy(rule: AppliedRule, template: TemplateDefinition, subject: RuleSubject): NamedId[] {
  const given = rule.check.kind === 'reference_exists' ? rule.check.reference_type : null;
  return stepsOf(rule).flatMap((steps) => {
    const type = given ?? referenceTypeAt(template, steps);
    return placesOf(subject, steps).flatMap((place) => namedIds(place, type));
  });
}

/** The types that binding rules expect, by place. */
export type NamedPlaces = ReadonlyMap<string, string | null>;

export const pathKey = (path: FieldPlace['path']): string => path.join('\n');

const NOWHERE: NamedPlaces = new Map();

export function namedPlaces(
  template: TemplateDefinition,
  ownFields: Readonly<Record<string, unknown>>,
): NamedPlaces {
  const rules = bindingReferenceRules(template);
  if (rules.length === 0) return NOWHERE;
  const subject = { ...NOBODY, fields: ownFields };
  const named = rules.flatMap((rule) => namedBy(rule, template, subject));
  return new Map(named.map(({ path, type }) => [pathKey(path), type]));
}

/** Attributes hold no references. */
const NOBODY: RuleSubject = {
  entity_type: '',
  entity_id: '',
  name: '',
  status: '',
  fields: {},
  markdown_body: '',
  primary_asset: null,
  production_status: null,
};
