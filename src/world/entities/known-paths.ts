import type { FieldDefinition, TemplateDefinition } from '../../content/template/index.ts';
import { didYouMean } from '../../text/near.ts';
import type { Project } from '../records/index.ts';
import { someEntityHas } from './entities.store.ts';
import { type FieldFilter, refusal } from './filters.ts';

interface Unknown {
  path: readonly string[];
  known: readonly string[];
}

/** Where a path leaves the template's typed fields; undefined if it does not, as below a list or an untyped map. */
function unknownIn(template: TemplateDefinition, path: readonly string[]): Unknown | undefined {
  let fields: readonly FieldDefinition[] = template.fields;
  for (const [index, name] of path.entries()) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return { path: path.slice(0, index + 1), known: fields.map((one) => one.name) };
    if (field.type !== 'object' || field.properties === undefined || field.properties.length === 0)
      return undefined;
    fields = field.properties;
  }
  return undefined;
}

/** The first path that neither the template nor any entity of the type has, with a hint at what may be meant. */
export async function findUnknown<Path extends readonly string[]>(
  project: Project,
  template: TemplateDefinition,
  paths: readonly Path[],
): Promise<{ path: Path; hint: string } | undefined> {
  for (const path of paths) {
    const unknown = unknownIn(template, path);
    if (unknown === undefined) continue;
    if (await someEntityHas(project, template.entity_type, unknown.path)) continue;
    return { path, hint: didYouMean(unknown.path.at(-1) ?? '', unknown.known) };
  }
  return undefined;
}

/** 422 for a filter by a field that neither the template nor any entity of the type has: it would never match. */
export async function requireKnown(
  project: Project,
  template: TemplateDefinition,
  filters: readonly FieldFilter[],
): Promise<void> {
  const paths = filters.map(({ path }) => path);
  const unknown = await findUnknown(project, template, paths);
  if (unknown === undefined) return;
  const type = template.entity_type;
  throw refusal(
    `filter[${unknown.path.join('.')}]`,
    `names no field of ${type}, nor one that any ${type} has${unknown.hint}`,
  );
}
