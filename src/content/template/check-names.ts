import { isMap, type JsonMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import { ENTITY_METADATA_KEYS } from './metadata.ts';
import type { FieldDefinition, LineOf, TemplateDefinition, TemplateProblem } from './types.ts';
import { isPluginWidget, WIDGETS } from './widget-registry.ts';

const WIDGET_IDS = WIDGETS.map(({ id }) => id);

/** Unknown settings are kept, and reported only if they resemble a known one. */
const SETTINGS = [
  ...new Set(WIDGETS.flatMap(({ options }) => options)),
  ...['widget', 'label', 'description', 'placeholder', 'required', 'canon', 'value', 'hex'],
];
const ENTRY_KEYS = [...SETTINGS, 'name', 'type', 'default'];

type Path = readonly (string | number)[];

interface Place {
  path: Path;
  /** Dotted. */
  field: string;
  settings: JsonMap;
}

const dotted = (fields: readonly FieldDefinition[], above = ''): [string, FieldDefinition][] =>
  fields.flatMap((field) => {
    const path = `${above}${field.name}`;
    return [[path, field], ...dotted(field.properties ?? [], `${path}.`)];
  });

/** Where a template says how fields are shown. */
function placesIn({ field_config: configs, fields: entries }: JsonMap): Place[] {
  const configured = Object.entries(isMap(configs) ? configs : {}).flatMap(([field, settings]) =>
    isMap(settings) ? [{ path: ['field_config', field], field, settings }] : [],
  );
  const listed = (Array.isArray(entries) ? entries : []).flatMap((settings: unknown, index) =>
    isMap(settings) && typeof settings.name === 'string'
      ? [{ path: ['fields', index], field: settings.name, settings }]
      : [],
  );
  return [...configured, ...listed];
}

function problem(message: string, path: Path, field: string, lineOf: LineOf): TemplateProblem {
  const line = lineOf(path);
  return { message, severity: 'warning', field, ...(line === undefined ? {} : { line }) };
}

/** Unknown fields and widgets, and mistyped settings in `field_config` and `fields`. */
export function nameProblems(
  data: JsonMap,
  fields: readonly FieldDefinition[],
  lineOf: LineOf,
): TemplateProblem[] {
  const names = dotted(fields).map(([name]) => name);
  return placesIn(data).flatMap(({ path, field, settings }) => {
    const isListed = path[0] === 'fields';
    const found: TemplateProblem[] = [];
    if (!isListed && !names.includes(field)) {
      const message = `field_config names "${field}", which is not a field of the template${didYouMean(field, names)}`;
      found.push(problem(message, path, field, lineOf));
    }
    const { widget } = settings;
    if (typeof widget === 'string' && !WIDGET_IDS.includes(widget) && !isPluginWidget(widget)) {
      const near = didYouMean(widget, WIDGET_IDS) || `; known are ${WIDGET_IDS.join(', ')}`;
      const message = `field "${field}": there is no widget "${widget}"${near}`;
      found.push(problem(message, [...path, 'widget'], field, lineOf));
    }
    const known = isListed ? ENTRY_KEYS : SETTINGS;
    for (const key of Object.keys(settings)) {
      const near = known.includes(key) ? '' : didYouMean(key, known);
      if (near === '') continue;
      found.push(
        problem(`field "${field}": "${key}" is not a setting${near}`, [...path, key], field, lineOf),
      );
    }
    return found;
  });
}

/** A key one slip away from one of these is hardly a field of its own, unlike `former_name` and `hull_color`. */
const LONG_METADATA = [...ENTITY_METADATA_KEYS].filter((key) => key.includes('_'));

/** Fields that look like metadata which the template lacks. A key with a `field_config` is meant as a field. */
export function mistypedMetadata(
  data: JsonMap,
  fields: readonly FieldDefinition[],
  lineOf: LineOf,
): TemplateProblem[] {
  const lacking = LONG_METADATA.filter((key) => !(key in data));
  const meant = new Set(placesIn(data).map(({ field }) => field));
  return fields.flatMap(({ name }) => {
    const near = name in data && !meant.has(name) ? didYouMean(name, lacking, 1) : '';
    return near === '' ? [] : [problem(`"${name}" is read as a field${near}`, [name], name, lineOf)];
  });
}

/** It refers to a type that does not exist. */
export interface LostReference {
  field: string;
  message: string;
}

export function lostReferences(
  { fields }: Pick<TemplateDefinition, 'fields'>,
  types: ReadonlySet<string>,
): LostReference[] {
  return dotted(fields).flatMap(([field, { reference_type: type }]) =>
    type === undefined || types.has(type)
      ? []
      : [
          {
            field,
            message: `field "${field}" refers to "${type}", which is not a type${didYouMean(type, types)}`,
          },
        ],
  );
}

export function lineOfReference(data: JsonMap, lineOf: LineOf, field: string): number | undefined {
  const place = placesIn(data).find(
    (one) => one.field === field && typeof one.settings.reference_type === 'string',
  );
  return place && lineOf([...place.path, 'reference_type']);
}
