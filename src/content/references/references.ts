import type { TemplateDefinition } from '../template/index.ts';
import { referencePlaces } from './places.ts';
import type { Reference, ReferringContent } from './types.ts';

/**
 * From fields with a `reference_type`, at any depth, as text, list or maps with an id, and from `[[…]]` links in body and
 * fields. Each edge once, in the file's order. Defaults of the template are not the entity's references.
 */
export function referencesOf(template: TemplateDefinition, content: ReferringContent): Reference[] {
  const edges = new Map<string, Reference>();
  for (const { field, kind, to_type, to_id } of referencePlaces(template, content)) {
    edges.set([field, kind, to_type, to_id].join('\n'), { field, kind, to_type, to_id });
  }
  return [...edges.values()];
}
