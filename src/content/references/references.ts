import type { TemplateDefinition } from '../template/index.ts';
import { referencePlaces } from './places.ts';
import type { Reference, ReferringContent } from './types.ts';

/**
 * The references of an entity: the values of its fields with a `reference_type`, at any depth and as text, list or maps
 * with an id, and the `[[…]]` links of its body and of the texts in its fields. Each edge once, in the file's order.
 * Values that come from the template's defaults alone are not references of the entity.
 */
export function referencesOf(template: TemplateDefinition, content: ReferringContent): Reference[] {
  const edges = new Map<string, Reference>();
  for (const { field, kind, to_type, to_id } of referencePlaces(template, content)) {
    edges.set([field, kind, to_type, to_id].join('\n'), { field, kind, to_type, to_id });
  }
  return [...edges.values()];
}
