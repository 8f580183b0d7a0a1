import type { FieldType } from './types.ts';

export interface WidgetDefinition {
  id: string;
  label: string;
  value_types: FieldType[];
  /** The keys of `field_config` that it reads. */
  options: string[];
}

const widget = (
  id: string,
  label: string,
  value_types: FieldType[],
  options: string[] = [],
): WidgetDefinition => ({ id, label, value_types, options });

/** Plugins bring others, named `plugin:{pluginId}:{widgetId}`. */
export const WIDGETS: readonly WidgetDefinition[] = [
  widget('text', 'One line of text', ['string', 'number']),
  widget('textarea', 'Several lines of text', ['string']),
  widget('number', 'A number', ['number'], ['min', 'max', 'step']),
  widget('range', 'A slider', ['number'], ['min', 'max', 'step', 'show_value']),
  widget('year', 'A year of the world', ['string', 'number'], ['min', 'max']),
  widget('date', 'A date of the world', ['string']),
  widget('toggle', 'A switch', ['boolean']),
  widget('select', 'One of a list', ['string', 'number'], ['options']),
  widget('radio-group', 'One of a few, all in sight', ['string', 'number'], ['options', 'layout']),
  widget('tags', 'Short words', ['array'], ['options']),
  widget('list', 'A list', ['array'], ['options']),
  widget('object', 'Fields of their own', ['object']),
  widget('color', 'A colour', ['string'], ['options']),
  widget('color-palette', 'Colours', ['string', 'array'], ['options']),
  widget('image', 'A picture', ['string']),
  widget('url', 'A link', ['string']),
  widget(
    'entity-selector',
    'References to entities',
    ['string', 'array', 'object'],
    ['reference_type', 'max_selections', 'relationship_types'],
  ),
];

const PLUGIN_WIDGET = /^plugin:[a-z0-9][a-z0-9_-]*:[a-z0-9][a-z0-9_-]*$/;

/** Spec 2 §2.6. */
export const isPluginWidget = (id: string): boolean => PLUGIN_WIDGET.test(id);
