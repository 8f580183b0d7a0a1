import { chosenWidgets } from '../../../content/layout/index.ts';
import { type JsonSchema, schemaOf, type TemplateDefinition } from '../../../content/template/index.ts';
import type { Project } from '../../records/index.ts';
import type { Layouts, SavedLayout } from '../layouts/layouts.service.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import { requireType } from './find-type.ts';

/**
 * Schemas of entity fields (spec 1 §4.1, §4.2), with the saved layout and its widgets. A definition is immutable, so its
 * schema is made once.
 */
export function createSchemas(registry: TemplateRegistry, layouts: Layouts) {
  const made = new WeakMap<TemplateDefinition, JsonSchema>();
  const schemaFor = (definition: TemplateDefinition): JsonSchema => {
    const schema = made.get(definition) ?? schemaOf(definition);
    made.set(definition, schema);
    return schema;
  };
  const arranged = async (project: Project, definition: TemplateDefinition): Promise<JsonSchema> =>
    withLayout(schemaFor(definition), await layouts.saved(project, definition.entity_type));

  return {
    async all(project: Project) {
      const { types } = await registry.of(project);
      const schemas = await Promise.all(
        Array.from(types, async ([type, definition]) => [type, await arranged(project, definition)] as const),
      );
      return { schemas: Object.fromEntries(schemas) };
    },
    one: async (project: Project, entityType: string): Promise<JsonSchema> =>
      arranged(project, requireType(await registry.of(project), entityType)),
  };
}

function withLayout(schema: JsonSchema, layout: SavedLayout): JsonSchema {
  if (layout === undefined) return schema;
  const arranged = { ...schema, 'x-form-layout': layout };
  if (layout === null) return arranged;
  const properties = { ...(schema.properties as Record<string, JsonSchema>) };
  for (const [name, widget] of chosenWidgets(layout)) {
    const property = properties[name];
    if (property) properties[name] = { ...property, 'x-widget': widget };
  }
  return { ...arranged, properties };
}

export type Schemas = ReturnType<typeof createSchemas>;
