import { isMap } from '../../../text/json.ts';
import type { Fence } from '../fence.ts';
import { isUnsaid } from '../target.ts';
import { expandVariables, type Variable } from '../variables.ts';
import type { ContextEntity, ContextInput } from './types.ts';

/** Values are cut to this: a variable stands for a name or a sentence, not for a chapter. */
const LONGEST_VALUE = 2_000;

export interface ExpandedTexts {
  expand(text: string, parameters?: Readonly<Record<string, unknown>>): string;
  /** As written, each once. */
  unknown: Set<string>;
}

/**
 * Fills the variables of templates, rules, skills and the request. Values are texts of entities: they come in fenced. Parameters of
 * a skill are its own text and come in as they are.
 */
export function createExpansion(input: ContextInput, fence: Fence): ExpandedTexts {
  const unknown = new Set<string>();
  return {
    unknown,
    expand(text, parameters = {}) {
      const expanded = expandVariables(text, {
        unknown: input.unknownVariables,
        valueOf(variable) {
          const parameter = parameterOf(variable, parameters);
          if (parameter !== undefined) return parameter;
          const value = entityValue(variable, input);
          return value === undefined ? undefined : fence.inline(value.slice(0, LONGEST_VALUE));
        },
      });
      for (const variable of expanded.unknown) unknown.add(variable);
      return expanded.text;
    },
  };
}

function parameterOf(variable: Variable, parameters: Readonly<Record<string, unknown>>): string | undefined {
  if (variable.kind !== 'named' || !Object.hasOwn(parameters, variable.name)) return undefined;
  return textOf(parameters[variable.name]);
}

function entityValue(variable: Variable, input: ContextInput): string | undefined {
  if (variable.kind === 'named') return namedValue(variable.name, input);
  const entity = entityOf(variable, input);
  return entity && valueIn(entity, variable.path);
}

function namedValue(name: string, { entity, template }: ContextInput): string | undefined {
  if (name === 'entity_type') return template.entity_type;
  if (entity === null) return undefined;
  return name.startsWith('entity_')
    ? valueIn(entity, [name.slice('entity_'.length)])
    : valueIn(entity, name.split('.'));
}

/** `$type.field` is of the entity itself if it has the type, else of the nearest neighbour that has it. */
function entityOf(
  { type, id }: Extract<Variable, { kind: 'field' }>,
  input: ContextInput,
): ContextEntity | undefined {
  const { entity, neighbours, named } = input;
  if (type === null) return entity ?? undefined;
  if (id === null) {
    if (entity?.entity_type === type) return entity;
    const nearest = neighbours.find(({ entity_type, content }) => entity_type === type && content !== null);
    return nearest && { status: '', fields: {}, markdown_body: '', ...nearest, ...nearest.content };
  }
  const all = entity === null ? named : [entity, ...named];
  return all.find(({ entity_type, entity_id }) => entity_type === type && entity_id === id);
}

const ATTRIBUTES = ['name', 'status', 'markdown_body'] as const;

function valueIn(entity: ContextEntity, path: readonly string[]): string | undefined {
  const [first = '', ...rest] = path;
  if (first === 'id' && rest.length === 0) return entity.entity_id;
  const attribute = ATTRIBUTES.find((name) => name === first);
  if (attribute !== undefined && rest.length === 0) return entity[attribute];
  let value: unknown = entity.fields;
  for (const key of path) {
    if (!isMap(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return textOf(value);
}

/** Empty for a value that says nothing: its variable is known all the same. */
function textOf(value: unknown): string {
  if (isUnsaid(value)) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `type/id` of each entity that the texts name by `$type:id.field`. */
export function namedEntities(texts: readonly string[]): { type: string; id: string }[] {
  const found = new Map<string, { type: string; id: string }>();
  for (const text of texts) {
    expandVariables(text, {
      unknown: 'skip',
      valueOf(variable) {
        if (variable.kind === 'field' && variable.type !== null && variable.id !== null)
          found.set(`${variable.type}/${variable.id}`, { type: variable.type, id: variable.id });
        return undefined;
      },
    });
  }
  return [...found.values()];
}
