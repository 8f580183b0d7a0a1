import { type JsonSchema, schemaOf, type TemplateDefinition } from '../../content/template/index.ts';
import type { Project } from '../records/scope.ts';
import { requireType } from './find-type.ts';
import type { TemplateRegistry } from './templates.registry.ts';

/** Schemas of entity fields (spec 1 §4.1, §4.2). A definition never changes, so its schema is made once. */
export function createSchemas(registry: TemplateRegistry) {
  const made = new WeakMap<TemplateDefinition, JsonSchema>();
  const schemaFor = (definition: TemplateDefinition): JsonSchema => {
    const schema = made.get(definition) ?? schemaOf(definition);
    made.set(definition, schema);
    return schema;
  };
  return {
    async all(project: Project) {
      const { types } = await registry.of(project);
      return {
        schemas: Object.fromEntries([...types].map(([type, definition]) => [type, schemaFor(definition)])),
      };
    },
    one: async (project: Project, entityType: string): Promise<JsonSchema> =>
      schemaFor(requireType(await registry.of(project), entityType)),
  };
}

export type Schemas = ReturnType<typeof createSchemas>;
