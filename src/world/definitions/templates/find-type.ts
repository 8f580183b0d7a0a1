import type { TemplateDefinition } from '../../../content/template/index.ts';
import { notFound } from '../../../kit/errors.ts';
import type { TemplateSet } from '../registry/template-set.ts';

/** 404 names the known types. */
export function requireType(set: TemplateSet, entityType: string): TemplateDefinition {
  const definition = set.types.get(entityType);
  if (definition) return definition;
  throw unknownType(set, entityType);
}

export const unknownType = (set: TemplateSet, entityType: string) =>
  notFound(`There is no entity type '${entityType}' here. Types: ${[...set.types.keys()].join(', ')}`, {
    code: 'unknown_type',
  });
